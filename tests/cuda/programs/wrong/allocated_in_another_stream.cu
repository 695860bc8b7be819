// finds: StreamRace, line 19
// Memory from cudaMallocAsync is there for what comes after it in its stream, or is ordered behind that.
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
    int *values, last;
    cudaEvent_t allocated;
    cudaEventCreate(&allocated);
    cudaMallocAsync((void**)&values, n * sizeof(int), one);
    fill<<<4, 256, 0, other>>>(values, n);
    cudaEventRecord(allocated, other);
    cudaStreamWaitEvent(one, allocated, 0);
    cudaMemcpyAsync(&last, values + n - 1, sizeof last, cudaMemcpyDeviceToHost, one);
    cudaFreeAsync(values, one);
    cudaStreamSynchronize(one);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
    cudaEventDestroy(allocated);
    printf("%d\n", last);
    return cudaGetLastError() != cudaSuccess;
}
