// line 7: use of undeclared identifier 'clamp01': declare it above this line, and not only within other {...}
#include <cstdio>

__global__ void clampAll(float* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = clamp01(x[i]);
}

__device__ float clamp01(float v)
{
    return v < 0.0f ? 0.0f : (v > 1.0f ? 1.0f : v);
}

int main()
{
    float* x;
    cudaMallocManaged(&x, 64 * sizeof(float));
    for (int i = 0; i < 64; i++) x[i] = i - 32.0f;
    clampAll<<<1, 64>>>(x, 64);
    cudaDeviceSynchronize();
    printf("%f\n", x[63]);
}
