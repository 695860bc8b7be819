// Degrees Fahrenheit to degrees Celsius, in memory that the host and the GPU both use.
#include <cstdio>
#include <cstdlib>

// Ends the program with a message if a CUDA function fails.
#define CHECK(call)                                            \
    do {                                                       \
        cudaError_t code = (call);                             \
        if (code != cudaSuccess) {                             \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, \
                    cudaGetErrorString(code));                 \
            exit(1);                                           \
        }                                                      \
    } while (0)

__global__ void celsius(const float* in, float* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;  // this thread's element

    if (i < n)                                      // spare threads do nothing
        out[i] = (in[i] - 32.0f) / 1.8f;
}

int main()
{
    const int n = 1000;
    float *in, *out;  // one address each, for the host and for the GPU
    CHECK(cudaMallocManaged(&in, n * sizeof(float)));
    CHECK(cudaMallocManaged(&out, n * sizeof(float)));
    for (int i = 0; i < n; ++i)
        in[i] = i;

    celsius<<<(n + 255) / 256, 256>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());  // the host reads out next
    printf("212 F are %.1f C\n", out[212]);

    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
