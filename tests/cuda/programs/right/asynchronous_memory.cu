// prints: 128 bytes are 3
#include <cstdio>

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    unsigned char *x, *host;
    cudaMallocAsync(&x, 128, stream);
    cudaHostAlloc(&host, 128, cudaHostAllocDefault);
    cudaMemsetAsync(x, 3, 128, stream);
    cudaMemcpyAsync(host, x, 128, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(x, stream);
    cudaStreamSynchronize(stream);
    int right = 0;
    for (int i = 0; i < 128; i++) right += host[i] == 3;
    printf("%d bytes are 3\n", right);
    cudaFreeHost(host);
    cudaStreamDestroy(stream);
}
