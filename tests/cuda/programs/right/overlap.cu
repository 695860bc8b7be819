// prints: 4 chunks, sum 8386560, all events in order
// Copies and kernels of four streams overlap, each chunk in its own, with pinned memory; events order a last stream.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error_ = (call);                                                       \
        if (error_ != cudaSuccess) {                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

constexpr int CHUNKS = 4, CHUNK = 1024;

__global__ void scale(const int* in, int* out, int factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = factor * in[i];
}

__global__ void sum_chunks(const int* data, unsigned long long* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, (unsigned long long)data[i]);
}

int main() {
    int *host_in, *in, *out;
    unsigned long long *sum, *host_sum;
    CHECK(cudaMallocHost(&host_in, CHUNKS * CHUNK * sizeof(int)));
    CHECK(cudaHostAlloc(&host_sum, sizeof *host_sum, cudaHostAllocDefault));
    CHECK(cudaMalloc(&in, CHUNKS * CHUNK * sizeof(int)));
    CHECK(cudaMalloc(&out, CHUNKS * CHUNK * sizeof(int)));
    CHECK(cudaMalloc(&sum, sizeof *sum));
    for (int i = 0; i < CHUNKS * CHUNK; i++) host_in[i] = i;

    cudaStream_t streams[CHUNKS], last;
    cudaEvent_t done[CHUNKS], start, stop;
    CHECK(cudaStreamCreateWithFlags(&last, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (int i = 0; i < CHUNKS; i++) {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
    }
    CHECK(cudaEventRecord(start, last));
    CHECK(cudaMemsetAsync(sum, 0, sizeof *sum, last));
    for (int i = 0; i < CHUNKS; i++) {
        int at = i * CHUNK;
        CHECK(cudaMemcpyAsync(in + at, host_in + at, CHUNK * sizeof(int), cudaMemcpyHostToDevice, streams[i]));
        scale<<<CHUNK / 256, 256, 0, streams[i]>>>(in + at, out + at, 1, CHUNK);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(done[i], streams[i]));
        CHECK(cudaStreamWaitEvent(last, done[i], 0));
    }
    sum_chunks<<<CHUNKS * CHUNK / 256, 256, 0, last>>>(out, sum, CHUNKS * CHUNK);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(host_sum, sum, sizeof *sum, cudaMemcpyDeviceToHost, last));
    CHECK(cudaEventRecord(stop, last));
    CHECK(cudaStreamSynchronize(last));
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    printf("%d chunks, sum %llu, %s\n", CHUNKS, *host_sum, milliseconds >= 0 ? "all events in order" : "events?");
    for (int i = 0; i < CHUNKS; i++) {
        CHECK(cudaStreamDestroy(streams[i]));
        CHECK(cudaEventDestroy(done[i]));
    }
    CHECK(cudaStreamDestroy(last));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(sum));
    CHECK(cudaFreeHost(host_in));
    CHECK(cudaFreeHost(host_sum));
    return 0;
}
