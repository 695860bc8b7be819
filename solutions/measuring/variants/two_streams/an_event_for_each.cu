#include <cstdio>
#include <cstdlib>

// Ends the program with a message if a CUDA function fails.
#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t code = (call);                                                       \
        if (code != cudaSuccess) {                                                       \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(code));        \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

__global__ void square_and_add_1(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[i] + 1;
}

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    int n = atoi(argv[1]);
    int pieces = atoi(argv[2]);
    int size = (n + pieces - 1) / pieces;  // of a piece; the last ones may be smaller, or empty

    float *in, *out;
    CHECK(cudaMallocHost(&in, n * sizeof(float)));
    CHECK(cudaMallocHost(&out, n * sizeof(float)));
    for (int i = 0; i < n; ++i)
        in[i] = i % 50;

    const size_t all = n * sizeof(float);
    float* gpu;  // in, and out after it
    CHECK(cudaMalloc(&gpu, 2 * all));
    float* gpu_in = gpu;
    float* gpu_out = gpu + n;
    cudaStream_t stream[2];
    cudaEvent_t done[2];
    for (int s = 0; s < 2; ++s) {
        CHECK(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming));
    }

    auto first = [=](int p) { return p * size < n ? p * size : n; };
    auto length = [=](int p) { return first(p + 1) - first(p); };
    for (int pair = 0; pair < pieces; pair += 2) {
        int end = pair + 2 < pieces ? pair + 2 : pieces;
        for (int p = pair; p < end; ++p)
            if (length(p) > 0)
                CHECK(cudaMemcpyAsync(gpu_in + first(p), in + first(p), length(p) * sizeof(float),
                                      cudaMemcpyHostToDevice, stream[p % 2]));
        for (int p = pair; p < end; ++p)
            if (length(p) > 0) {
                square_and_add_1<<<(length(p) + 255) / 256, 256, 0, stream[p % 2]>>>(
                    gpu_in + first(p), gpu_out + first(p), length(p));
                CHECK(cudaGetLastError());
            }
        for (int p = pair; p < end; ++p)
            if (length(p) > 0)
                CHECK(cudaMemcpyAsync(out + first(p), gpu_out + first(p), length(p) * sizeof(float),
                                      cudaMemcpyDeviceToHost, stream[p % 2]));
    }

    for (int s = 0; s < 2; ++s)
        CHECK(cudaEventRecord(done[s], stream[s]));
    for (int s = 0; s < 2; ++s) {
        CHECK(cudaEventSynchronize(done[s]));
        CHECK(cudaEventDestroy(done[s]));
        CHECK(cudaStreamDestroy(stream[s]));
    }
    CHECK(cudaFree(gpu));

    for (int i = 0; i < n; ++i)
        printf("%g\n", out[i]);
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    return 0;
}
