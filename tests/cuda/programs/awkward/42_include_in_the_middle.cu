// Includes in odd places: computed, conditional, after code, inside an initialiser's neighbourhood.
#define IO_HEADER <cstdio>
#include IO_HEADER

static __device__ int base() { return 40; }

#if __has_include(<cstdlib>)
#include <cstdlib>
#else
#include <stdlib.h>
#endif

__global__ void first(int *p) { p[threadIdx.x] = base() + static_cast<int>(threadIdx.x); }

#define HEADER(name) <name>
#include HEADER(cuda_runtime.h)
#include <cuda_runtime.h> /* again */
#   include /* spaces */ <vector>

#if __has_include("not/there.h")
#error "impossible"
#elif __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#endif

template <typename T>
__global__ void second(T *p)
{
    p[threadIdx.x] = T(static_cast<float>(p[threadIdx.x]) * 0.5f);
}

#include <cstdint>
#ifdef __CUDACC_VER_MAJOR__
#include <type_traits>
static_assert(std::is_same_v<std::int32_t, int>);
#endif

static void bail(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::puts(cudaGetErrorString(e));
        std::exit(1);
    }
}
#include <string>
#include <cassert>

__device__ const char *name_of(const __half *) { return "half"; }
__device__ const char *name_of(const int *) { return "int"; }
template <typename T> __global__ void third(const T *p, char *out)
{
    const char *n = name_of(p);
    assert(n != nullptr);
    int i = 0;
    while ((out[i] = n[i]) != '\0') ++i;
}
#include <algorithm>

int main()
{
    std::vector<int> h(6);
    int *p;
    __half *q, hq[2];
    char *c, hc[8];
    bail(cudaMalloc(&p, h.size() * sizeof(int)));
    bail(cudaMalloc(&q, sizeof hq));
    bail(cudaMalloc(&c, sizeof hc));
    hq[0] = __float2half(3.0f);
    hq[1] = __float2half(-0.25f);
    bail(cudaMemcpy(q, hq, sizeof hq, cudaMemcpyHostToDevice));
    first<<<1, 6>>>(p);
    bail(cudaGetLastError());
    second<<<1, 6>>>(p);
    bail(cudaGetLastError());
    second<<<1, 2>>>(q);
    bail(cudaGetLastError());
    bail(cudaDeviceSynchronize());
    bail(cudaMemcpy(h.data(), p, h.size() * sizeof(int), cudaMemcpyDeviceToHost));
    bail(cudaMemcpy(hq, q, sizeof hq, cudaMemcpyDeviceToHost));
    std::for_each(h.begin(), h.end(), [](int v) { std::printf("%d ", v); });
    std::printf("%.3f %.3f\n", __half2float(hq[0]), __half2float(hq[1]));
    third<<<1, 1>>>(q, c);
    bail(cudaGetLastError());
    bail(cudaMemcpy(hc, c, 5, cudaMemcpyDeviceToHost));
    std::printf("%s\n", std::string(hc).c_str());
    third<<<1, 1>>>(p, c);
    bail(cudaGetLastError());
    bail(cudaMemcpy(hc, c, 4, cudaMemcpyDeviceToHost));
    std::printf("%s\n", hc);
    bail(cudaFree(c));
    bail(cudaFree(q));
    bail(cudaFree(p));
    return 0;
}
