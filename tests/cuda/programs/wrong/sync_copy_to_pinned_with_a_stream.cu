// finds: Unsynchronized, line 14
// cudaMemcpyAsync to pinned memory does not wait.
#include <cstdio>

int main()
{
    int *x, *host;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&x, 256), cudaMallocHost(&host, 256);
    cudaMemset(x, 1, 256);
    host[63] = 0;
    cudaMemcpyAsync(host, x, 256, cudaMemcpyDefault, stream);
    printf("%d\n", host[63]);
    cudaStreamSynchronize(stream);
    cudaFree(x), cudaFreeHost(host), cudaStreamDestroy(stream);
}
