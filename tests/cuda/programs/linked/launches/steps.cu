#include "steps.cuh"

static __device__ int start = 10;

static __global__ void begin(int* x) { x[threadIdx.x] = start; }
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
__device__ void launch_begin(int* x) {
    begin<<<1, 4>>>(x);
    more<int><<<1, 4>>>(x, 2);
}
void run_begin(int* x) {
    int n = 20;
    cudaMemcpyToSymbol(start, &n, sizeof n);
    begin<<<1, 4>>>(x);
}
