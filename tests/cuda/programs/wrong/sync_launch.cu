// finds: Unsynchronized, line 12
// A launch does not wait.
#include <cstdio>

__global__ void put(int* x) { x[threadIdx.x] = threadIdx.x; }

int main()
{
    int* x;
    cudaMallocManaged(&x, 256);
    put<<<1, 64>>>(x);
    printf("%d\n", x[63]);
    cudaDeviceSynchronize();
    cudaFree(x);
}
