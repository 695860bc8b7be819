// line 11: calling a __device__ function("__syncthreads") from a __host__ function is not allowed: wait for kernels with cudaDeviceSynchronize()
#include <cstdio>

__global__ void k(float* x) { x[threadIdx.x] = 1; }

int main()
{
    float* x;
    cudaMallocManaged(&x, 256);
    k<<<1, 64>>>(x);
    __syncthreads();
    printf("%f\n", x[0]);
    cudaFree(x);
}
