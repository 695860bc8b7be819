// line 14: calling a __device__ function("twice") from a __host__ function is not allowed: mark the function in line 4 as __host__ as well, or let a kernel call it
#include <cstdio>

__device__ int twice(int x) { return 2 * x; }

__global__ void k(int* x) { x[threadIdx.x] = twice(threadIdx.x); }

int main()
{
    int* x;
    cudaMallocManaged(&x, 64 * sizeof(int));
    k<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    if (x[3] != twice(3)) printf("wrong\n");
    else printf("right\n");
}
