// finds: Unsynchronized, line 12
// cudaMemcpyAsync from pinned memory does not wait: the host may not use it again yet.
#include <cstring>

int main()
{
    int *x, *host;
    cudaMalloc(&x, 256), cudaMallocHost(&host, 256);
    memset(host, 1, 256);
    cudaMemcpyAsync(x, host, 256, cudaMemcpyDefault, 0);
    // (memset would be the C library's own line)
    for (int i = 0; i < 64; i++) host[i] = 2;
    cudaDeviceSynchronize();
    cudaFree(x), cudaFreeHost(host);
}
