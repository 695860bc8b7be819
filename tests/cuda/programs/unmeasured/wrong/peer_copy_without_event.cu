// finds: StreamRace, line 26
// gpus: 2
// says: copies line 25
// A GPU goes on with what another is still copying from it.
#include <cstdio>

__global__ void add(float* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}

int main()
{
    float* a[2];
    cudaStream_t streams[2];
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc(&a[d], 4000);
        cudaMemset(a[d], 0, 4000);
        cudaStreamCreate(&streams[d]);
        cudaDeviceSynchronize();
    }
    cudaSetDevice(1);
    cudaMemcpyPeerAsync(a[1], 1, a[0], 0, 4000, streams[1]);
    cudaSetDevice(0), add<<<4, 256, 0, streams[0]>>>(a[0], 1000);
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
        cudaFree(a[d]);
        cudaStreamDestroy(streams[d]);
    }
}
