%%values sgemm
# C is M x N, K is what A and B have in common
grid = ceil_div(N, 16), ceil_div(M, 16)
block = 16, 16
shared_mem = 0

%%cuda sgemm
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. Any M, N and K.
__global__ void my_sgemm(const float* A, const float* B, float* C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
