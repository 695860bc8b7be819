// line 6: the #if, #ifdef or #ifndef has no #endif
#include <cstdio>

#define USE_FAST 1

#ifdef USE_FAST
__device__ float root(float x) { return __fsqrt_rn(x); }
#else
__device__ float root(float x) { return sqrtf(x); }

__global__ void roots(float* x, int n)
{
    int i = threadIdx.x;
    if (i < n) x[i] = root(x[i]);
}

int main()
{
    float* x;
    cudaMallocManaged(&x, 64 * sizeof(float));
    roots<<<1, 64>>>(x, 64);
    cudaDeviceSynchronize();
    printf("%f\n", x[0]);
}
