// line 15: a kernel is launched with its grid and block: scale<<<blocks, threads>>>(...)
#include <cstdio>

__global__ void scale(float* x, float f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= f;
}

int main()
{
    float* x;
    cudaMallocManaged(&x, 256 * sizeof(float));
    for (int i = 0; i < 256; i++) x[i] = i;
    scale(x, 2.0f, 256);
    cudaDeviceSynchronize();
    printf("%f\n", x[7]);
    cudaFree(x);
}
