// Three kernels with a mistake each, to try NVIDIA's tools on: ./mistakes bounds, race or stride.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                            \
    do {                                                       \
        cudaError_t code = (call);                             \
        if (code != cudaSuccess) {                             \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, \
                    cudaGetErrorString(code));                 \
            exit(1);                                           \
        }                                                      \
    } while (0)

// No guard: the last threads have no element.
__global__ void no_guard(const float* in, float* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = (in[i] - 32.0f) / 1.8f;
}

// No barrier: a thread may read what its neighbor has not yet written.
__global__ void no_barrier(const float* in, float* out, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;

    tile[t] = i < n ? in[i] : 0.0f;
    if (i < n)
        out[i] = tile[(t + 32) % 256];
}

// Not coalesced: neighboring threads load elements eight apart.
__global__ void strided(const float* in, float* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    if (i < n)
        out[i] = in[8 * i % n];
}

int main(int argc, char** argv)
{
    const char* which = argc > 1 ? argv[1] : "bounds";
    const int n = 1000, block = 256, grid = (n + block - 1) / block;
    float *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemset(in, 0, n * sizeof(float)));

    if (strcmp(which, "bounds") == 0)
        no_guard<<<grid, block>>>(in, out, n);
    else if (strcmp(which, "race") == 0)
        no_barrier<<<grid, block>>>(in, out, n);
    else
        strided<<<grid, block>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    printf("no error\n");
    return 0;
}
