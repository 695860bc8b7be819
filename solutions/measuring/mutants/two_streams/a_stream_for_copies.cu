// rejected by: orders_its_streams
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

    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, n * sizeof(float)));
    CHECK(cudaMalloc(&d_out, n * sizeof(float)));
    cudaStream_t streams[2];
    for (int s = 0; s < 2; ++s)
        CHECK(cudaStreamCreate(&streams[s]));

    for (int p = 0; p < pieces; ++p) {
        int begin = p * size;
        int count = begin + size < n ? size : n - begin;
        if (count <= 0)
            break;
        CHECK(cudaMemcpyAsync(d_in + begin, in + begin, count * sizeof(float), cudaMemcpyHostToDevice, streams[0]));
        square_and_add_1<<<(count + 255) / 256, 256, 0, streams[1]>>>(d_in + begin, d_out + begin, count);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(out + begin, d_out + begin, count * sizeof(float), cudaMemcpyDeviceToHost, streams[0]));
    }

    for (int s = 0; s < 2; ++s)
        CHECK(cudaStreamSynchronize(streams[s]));
    for (int s = 0; s < 2; ++s)
        CHECK(cudaStreamDestroy(streams[s]));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));

    for (int i = 0; i < n; ++i)
        printf("%g\n", out[i]);
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    return 0;
}
