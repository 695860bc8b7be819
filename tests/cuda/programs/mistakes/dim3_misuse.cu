// line 18: invalid operands to binary expression ('const int' and 'dim3'): a dim3 is three numbers, .x, .y and .z
#include <cstdio>

__global__ void transpose(const float* in, float* out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) out[x * n + y] = in[y * n + x];
}

int main()
{
    const int n = 64;
    float *in, *out;
    cudaMallocManaged(&in, n * n * sizeof(float));
    cudaMallocManaged(&out, n * n * sizeof(float));
    dim3 block = (16, 16);
    dim3 grid(n / block, n / block);
    transpose<<<grid, block>>>(in, out, n);
    cudaDeviceSynchronize();
    printf("%f\n", out[0]);
}
