// finds: PeerPointer, line 24
// gpus: 2
// says: The kernel add runs on GPU 1 and uses y, which is memory of GPU 0, without access to it
// says: allocates line 18
// A kernel reads the memory of another GPU, which may read this one's but not the other way round.
#include <cstdio>

__global__ void add(float* x, const float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += y[i];
}

int main()
{
    float* a[2];
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d), cudaMalloc(&a[d], 4000);
        cudaMemset(a[d], 0, 4000);
    }
    cudaSetDevice(0);
    cudaDeviceEnablePeerAccess(1, 0);
    cudaSetDevice(1);
    add<<<4, 256>>>(a[1], a[0], 1000);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int d = 0; d < 2; d++) cudaFree(a[d]);
}
