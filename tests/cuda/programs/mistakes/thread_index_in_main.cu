// line 12: threadIdx, blockIdx, blockDim and gridDim exist only in code that runs on the GPU
#include <cstdio>

__global__ void k(int* x) { x[threadIdx.x] = threadIdx.x; }

int main()
{
    int* x;
    cudaMallocManaged(&x, 64 * sizeof(int));
    k<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    int i = threadIdx.x;
    printf("%d\n", x[i]);
}
