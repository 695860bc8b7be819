// line 15: scale is a kernel, which the host launches, scale<<<blocks, threads>>>(...): what other code on the GPU calls is a __device__ function
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
