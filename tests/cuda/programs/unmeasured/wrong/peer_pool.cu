// finds: PeerPointer, line 17
// gpus: 2
// says: cudaMemPoolSetAccess on the pool of GPU 0 allows that
// Memory of a pool is not opened by cudaDeviceEnablePeerAccess.
#include <cstdio>

__global__ void put(float* x) { x[threadIdx.x] = 1; }

int main()
{
    float* x;
    cudaMallocAsync(&x, 128, 0);
    cudaDeviceSynchronize();
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    if (cudaGetLastError()) return 1;
    put<<<1, 32>>>(x);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(x);
}
