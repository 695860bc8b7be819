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

    float *d_in = NULL, *d_out = NULL;
    cudaStream_t s[2] = {NULL, NULL};
    size_t bytes = (size_t)n * sizeof(float);
    int failed = 1;
    if (cudaStreamCreate(&s[0]) != cudaSuccess) goto clean_up;
    if (cudaStreamCreate(&s[1]) != cudaSuccess) goto clean_up;
    if (cudaMalloc((void**)&d_in, bytes) != cudaSuccess) goto clean_up;
    if (cudaMalloc((void**)&d_out, bytes) != cudaSuccess) goto clean_up;

    for (int p = pieces - 1; p >= 0; --p) {
        int from = p * size;
        int to = from + size < n ? from + size : n;
        if (from >= to) {
            fprintf(stderr, "piece %d is empty\n", p);
            continue;
        }
        size_t part = (to - from) * sizeof(float);
        if (cudaMemcpyAsync(d_in + from, in + from, part, cudaMemcpyHostToDevice, s[p % 2]) != cudaSuccess)
            goto clean_up;
        square_and_add_1<<<(to - from + 31) / 32, 32, 0, s[p % 2]>>>(d_in + from, d_out + from, to - from);
        if (cudaGetLastError() != cudaSuccess)
            goto clean_up;
        if (cudaMemcpyAsync(out + from, d_out + from, part, cudaMemcpyDeviceToHost, s[p % 2]) != cudaSuccess)
            goto clean_up;
    }
    for (int k = 0; k < 2; ++k) {
        cudaError_t state;
        while ((state = cudaStreamQuery(s[k])) == cudaErrorNotReady)
            (void)cudaGetLastError();
        if (state != cudaSuccess)
            goto clean_up;
    }
    failed = 0;

    clean_up:
    for (int k = 0; k < 2; ++k)
        if (s[k] != NULL && cudaStreamDestroy(s[k]) != cudaSuccess)
            failed = 1;
    if (cudaFree(d_out) != cudaSuccess || cudaFree(d_in) != cudaSuccess)
        failed = 1;
    if (failed) {
        fprintf(stderr, "a CUDA function failed\n");
        return 1;
    }

    for (int i = 0; i < n; ++i)
        printf("%g\n", out[i]);
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    return 0;
}
