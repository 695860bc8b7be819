// rejected by: computes_on_the_gpu
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

__global__ void raise_flag(int* done)
{
    *done = 1;
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

    int *done_gpu, *done;
    CHECK(cudaMalloc(&done_gpu, sizeof(int)));
    CHECK(cudaMallocHost(&done, sizeof(int)));
    raise_flag<<<1, 1>>>(done_gpu);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(done, done_gpu, sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n && *done == 1; ++i)
        out[i] = in[i] * in[i] + 1;
    CHECK(cudaFree(done_gpu));
    CHECK(cudaFreeHost(done));

    for (int i = 0; i < n; ++i)
        printf("%g\n", out[i]);
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    return 0;
}
