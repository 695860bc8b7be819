// prints: host saw 10 after stage 1, graph-free pipeline gives 42
// A host function in a stream, between two stages; memory of a pool of the stream.
#include <cstdio>

__global__ void stage(int* x, int add) { *x += add; }

struct Seen {
    const int* value;
    int after;
};

void CUDART_CB look(void* data) {
    Seen* seen = static_cast<Seen*>(data);
    seen->after = *seen->value;
}

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *x, *host;
    cudaMallocAsync(&x, sizeof(int), stream);
    cudaMallocHost((void**)&host, sizeof(int));
    cudaMemsetAsync(x, 0, sizeof(int), stream);
    stage<<<1, 1, 0, stream>>>(x, 10);
    cudaMemcpyAsync(host, x, sizeof(int), cudaMemcpyDeviceToHost, stream);
    Seen seen = {host, 0};
    cudaLaunchHostFunc(stream, look, &seen);
    stage<<<1, 1, 0, stream>>>(x, 32);
    cudaEvent_t copied;
    cudaEventCreate(&copied, cudaEventBlockingSync);
    cudaMemcpyAsync(host, x, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(copied, stream);
    cudaFreeAsync(x, stream);
    while (cudaEventQuery(copied) == cudaErrorNotReady) {
    }
    if (cudaStreamSynchronize(stream) != cudaSuccess) return 1;
    printf("host saw %d after stage 1, graph-free pipeline gives %d\n", seen.after, *host);
    cudaEventDestroy(copied);
    cudaStreamDestroy(stream);
    cudaFreeHost(host);
}
