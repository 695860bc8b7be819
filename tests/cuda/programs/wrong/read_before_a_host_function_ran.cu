// finds: Unsynchronized, line 17
// A function that the stream calls may read the copy; the rest of the host may not yet.
#include <cstdio>

static void look(void* data) { printf("%d\n", *(const int*)data); }

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *x, *host;
    cudaMalloc(&x, sizeof(int));
    cudaMallocHost(&host, sizeof(int));
    cudaMemsetAsync(x, 0, sizeof(int), stream);
    cudaMemcpyAsync(host, x, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, look, host);

    printf("%d\n", *host);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFree(x);
    cudaFreeHost(host);
}
