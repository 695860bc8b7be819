// rejected by: overlaps_its_copies
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

    float *din, *dout;
    CHECK(cudaMalloc(&din, n * sizeof(float)));
    CHECK(cudaMalloc(&dout, n * sizeof(float)));
    cudaStream_t s[2];
    for (auto& one : s) CHECK(cudaStreamCreate(&one));
    for (int phase = 0; phase < 3; ++phase)
        for (int p = 0; p * size < n; ++p) {
            int first = p * size, count = first + size < n ? size : n - first;
            cudaStream_t t = s[p > 0];
            if (phase == 0) CHECK(cudaMemcpyAsync(din + first, in + first, count * sizeof(float), cudaMemcpyHostToDevice, t));
            if (phase == 1) square_and_add_1<<<(count + 127) / 128, 128, 0, t>>>(din + first, dout + first, count);
            CHECK(cudaGetLastError());
            if (phase == 2) CHECK(cudaMemcpyAsync(out + first, dout + first, count * sizeof(float), cudaMemcpyDeviceToHost, t));
        }
    for (auto& one : s) { CHECK(cudaStreamSynchronize(one)); CHECK(cudaStreamDestroy(one)); }
    CHECK(cudaFree(din));
    CHECK(cudaFree(dout));


    for (int i = 0; i < n; ++i)
        printf("%g\n", out[i]);
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    return 0;
}
