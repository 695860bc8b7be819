// prints: 3 3 2
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(float2* a, int n);
__global__ void add(float* a, float by, int n);

__global__ void add(int* a, int n)
{
    if (threadIdx.x < n) a[threadIdx.x] += 1;
}

__global__ void add(float2* a, int n)
{
    if (threadIdx.x < n) a[threadIdx.x].x += 1, a[threadIdx.x].y += 2;
}

__global__ void scale(const float* in, float* out, int never);

__global__ void scale(const float* in, float* out)
{
    out[threadIdx.x] = 2 * in[threadIdx.x];
}

int main()
{
    float2* a;
    int* b;
    float* c;
    cudaMallocManaged(&a, 32 * sizeof(float2));
    cudaMallocManaged(&b, 32 * sizeof(int));
    cudaMallocManaged(&c, 32 * sizeof(float));
    for (int i = 0; i < 32; i++) a[i] = {2, 1}, b[i] = 1;
    add<<<1, 32>>>(a, 32);
    add<<<1, 32>>>(b, 32);
    scale<<<1, 32>>>((const float*)a, c);
    cudaDeviceSynchronize();
    printf("%g %g %d\n", a[0].x, c[1] / 2, b[31]);
    cudaFree(a), cudaFree(b), cudaFree(c);
}
