// Whole kernels, and the host functions that launch them, come out of one macro.
#include <cstdio>
#include <cstdlib>

static void die_if(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
    std::exit(1);
}

#define DEFINE_MAP(NAME, TYPE, EXPR)                                      \
    __global__ void NAME##_kernel(const TYPE *in, TYPE *out, int n)       \
    {                                                                     \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                    \
        if (i < n) {                                                      \
            TYPE x = in[i];                                               \
            out[i] = (EXPR);                                              \
        }                                                                 \
    }                                                                     \
    static void NAME(const TYPE *in, TYPE *out, int n)                    \
    {                                                                     \
        NAME##_kernel<<<(n + 63) / 64, 64>>>(in, out, n);                 \
        die_if(cudaGetLastError(), #NAME " launch");                      \
        die_if(cudaDeviceSynchronize(), #NAME " sync");                   \
    }

DEFINE_MAP(negate, int, -x)
DEFINE_MAP(halve, float, x / 2)
DEFINE_MAP(cube, long long, x *x *x)
DEFINE_MAP(clamp01, float, x < 0 ? 0 : x > 1 ? 1 : x)

#define RUN(NAME, TYPE, FMT)                                                                    \
    do {                                                                                        \
        TYPE h_in[N], h_out[N];                                                                 \
        for (int i = 0; i < N; i++)                                                             \
            h_in[i] = static_cast<TYPE>(i - N / 2);                                             \
        TYPE *d_in = nullptr, *d_out = nullptr;                                                 \
        die_if(cudaMalloc(&d_in, sizeof h_in), "malloc");                                       \
        die_if(cudaMalloc(&d_out, sizeof h_out), "malloc");                                     \
        die_if(cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice), "copy in");         \
        NAME(d_in, d_out, N);                                                                   \
        die_if(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost), "copy out");     \
        std::printf(#NAME ": " FMT " " FMT " " FMT "\n", h_out[0], h_out[N / 2 + 1], h_out[N - 1]); \
        die_if(cudaFree(d_in), "free");                                                         \
        die_if(cudaFree(d_out), "free");                                                        \
    } while (0)

int main()
{
    enum { N = 130 };
    RUN(negate, int, "%d");
    RUN(halve, float, "%.2f");
    RUN(cube, long long, "%lld");
    RUN(clamp01, float, "%.1f");
    return 0;
}
