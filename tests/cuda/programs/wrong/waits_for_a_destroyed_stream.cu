// finds: Unsynchronized, line 23
// The default stream does not wait for a stream that is non-blocking, destroyed or not.
#include <cstdio>

__global__ void fill(int* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = i;
}

int main() {
    const int n = 1000;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    int *values, *on_gpu;
    cudaMallocHost(&values, n * sizeof(int));
    cudaMalloc(&on_gpu, n * sizeof(int));
    fill<<<4, 256, 0, stream>>>(on_gpu, n);
    if (cudaGetLastError() != cudaSuccess) return 1;
    cudaMemcpyAsync(values, on_gpu, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamDestroy(stream);
    cudaStreamSynchronize(0);

    printf("%d\n", values[n - 1]);
    cudaFree(on_gpu);
    cudaFreeHost(values);
    return cudaGetLastError() != cudaSuccess;
}
