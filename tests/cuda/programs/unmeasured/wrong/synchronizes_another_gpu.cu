// finds: Unsynchronized, line 14
// gpus: 2
// cudaDeviceSynchronize waits for the GPU that is current.
#include <cstdio>

__global__ void put(int* x) { x[threadIdx.x] = threadIdx.x; }

int main()
{
    int* x;
    cudaMallocHost(&x, 256);
    put<<<1, 64>>>(x);
    cudaSetDevice(1), cudaDeviceSynchronize();
    printf("%d\n", x[63]);
    cudaSetDevice(0), cudaDeviceSynchronize();
    cudaFreeHost(x);
}
