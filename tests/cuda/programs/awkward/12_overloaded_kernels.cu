// Overloaded kernels; which one is meant is settled by a cast, a typed pointer or the arguments.
#include <cstdio>
#include <cstdlib>

__global__ void set(int *p, int v) { p[threadIdx.x] = v; }
__global__ void set(float *p, float v) { p[threadIdx.x] = v + 0.5f; }
__global__ void set(int *p, int v, int step) { p[threadIdx.x] = v + step * int(threadIdx.x); }
template <typename T>
__global__ void set(T *p, T *q) { p[threadIdx.x] = q[threadIdx.x]; }

using IntKernel = void (*)(int *, int);
typedef void (*FloatKernel)(float *, float);
using StepKernel = void(int *, int, int);

__global__ void other(float *p, float v) { p[threadIdx.x] = -v; }

static FloatKernel choose(bool plain)
{
    return plain ? static_cast<FloatKernel>(set) : other;
}

static void verify(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("error: %s\n", cudaGetErrorString(e));
        std::exit(1);
    }
}

int main()
{
    int *a, *b, h[4];
    float *f, g[4];
    verify(cudaMalloc(&a, sizeof h));
    verify(cudaMalloc(&b, sizeof h));
    verify(cudaMalloc(&f, sizeof g));

    set<<<1, 4>>>(a, 5);
    verify(cudaGetLastError());
    static_cast<void (*)(int *, int, int)>(set)<<<1, 4>>>(b, 100, 7);
    verify(cudaGetLastError());
    (*(StepKernel *)(&set))<<<1, 1>>>(b, 1, 0);
    verify(cudaGetLastError());
    verify(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
    std::printf("a: %d %d %d %d\n", h[0], h[1], h[2], h[3]);
    verify(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
    std::printf("b: %d %d %d %d\n", h[0], h[1], h[2], h[3]);

    IntKernel k = &set;
    k<<<1, 2>>>(a, -1);
    verify(cudaGetLastError());
    set<<<1, 3>>>(b, a);
    verify(cudaGetLastError());
    verify(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
    std::printf("b: %d %d %d %d\n", h[0], h[1], h[2], h[3]);

    choose(true)<<<1, 4>>>(f, 2.0f);
    verify(cudaGetLastError());
    choose(false)<<<1, 2>>>(f, 8.0f);
    verify(cudaGetLastError());
    void (*const copy)(float *, float *) = set<float>;
    copy<<<1, 1>>>(f, f + 2);
    verify(cudaGetLastError());
    verify(cudaDeviceSynchronize());
    verify(cudaMemcpy(g, f, sizeof g, cudaMemcpyDeviceToHost));
    std::printf("f: %.1f %.1f %.1f %.1f\n", g[0], g[1], g[2], g[3]);

    cudaFuncAttributes attributes;
    verify(cudaFuncGetAttributes(&attributes, static_cast<IntKernel>(set)));
    std::printf("static shared memory: %zu\n", attributes.sharedSizeBytes);
    verify(cudaFree(f));
    verify(cudaFree(b));
    verify(cudaFree(a));
    return 0;
}
