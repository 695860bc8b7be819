// finds: StreamRace, line 22
// cudaFreeAsync frees in the order of its stream, whatever another one still does.
#include <cstdio>

__global__ void fill(int* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = i;
}

int main() {
    const int n = 1000;
    cudaStream_t one, other;
    cudaStreamCreate(&one);
    cudaStreamCreate(&other);
    int* values;
    cudaEvent_t allocated;
    cudaEventCreate(&allocated);
    cudaMallocAsync((void**)&values, n * sizeof(int), one);
    cudaEventRecord(allocated, one);
    cudaStreamWaitEvent(other, allocated, 0);
    fill<<<4, 256, 0, other>>>(values, n);
    cudaFreeAsync(values, one);
    cudaDeviceSynchronize();
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
    cudaEventDestroy(allocated);
    return cudaGetLastError() != cudaSuccess;
}
