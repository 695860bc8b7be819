// finds: StreamRace, line 22
// gpus: 2
// The default streams of two GPUs do not wait for each other.
#include <cstdio>

__global__ void add(float* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}

int main()
{
    float* x;
    cudaMalloc(&x, 4000);
    cudaMemset(x, 0, 4000);
    cudaDeviceSynchronize();
    add<<<4, 256>>>(x, 1000);

    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    add<<<4, 256>>>(x, 1000);
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
    }
    cudaFree(x);
}
