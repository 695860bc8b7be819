%%cuda two_streams
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

    float *in_gpu, *out_gpu;
    CHECK(cudaMalloc(&in_gpu, n * sizeof(float)));
    CHECK(cudaMalloc(&out_gpu, n * sizeof(float)));
    cudaStream_t streams[2];
    CHECK(cudaStreamCreate(&streams[0]));
    CHECK(cudaStreamCreate(&streams[1]));
    for (int p = 0; p < pieces; ++p) {
        int first = p * size;
        CHECK(cudaMemcpyAsync(in_gpu + first, in + first, size * sizeof(float), cudaMemcpyHostToDevice, streams[p % 2]));
        square_and_add_1<<<(size + 255) / 256, 256, 0, streams[p % 2]>>>(in_gpu + first, out_gpu + first, size);
        CHECK(cudaMemcpyAsync(out + first, out_gpu + first, size * sizeof(float), cudaMemcpyDeviceToHost, streams[p % 2]));
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in_gpu));
    CHECK(cudaFree(out_gpu));

    for (int i = 0; i < n; ++i)
        printf("%g\n", out[i]);
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    return 0;
}
