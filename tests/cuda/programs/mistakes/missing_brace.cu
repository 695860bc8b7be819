// line 17: a '}' is missing: the '{' in line 5 is not closed
#include <cstdio>

__global__ void matmul(const float* A, const float* B, float* C, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        float sum = 0;
        for (int k = 0; k < n; k++) {
            sum += A[row * n + k] * B[k * n + col];
        C[row * n + col] = sum;
    }
}

int main()
{
    const int n = 32;
    float *A, *B, *C;
    cudaMallocManaged(&A, n * n * sizeof(float));
    cudaMallocManaged(&B, n * n * sizeof(float));
    cudaMallocManaged(&C, n * n * sizeof(float));
    for (int i = 0; i < n * n; i++) { A[i] = 1; B[i] = 2; }
    dim3 block(16, 16), grid(2, 2);
    matmul<<<grid, block>>>(A, B, C, n);
    cudaDeviceSynchronize();
    printf("%f\n", C[0]);
}
