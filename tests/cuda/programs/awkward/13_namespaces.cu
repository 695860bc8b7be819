#include <cstdio>
#include <cstdlib>

// The same kernel name in six scopes.
__global__ void where(int *p) { *p = 0; }

namespace outer {
__global__ void where(int *p) { *p = 1; }
namespace inner {
__global__ void where(int *p) { *p = 2; }
}  // namespace inner
inline namespace v2 {
namespace deep::er {
static __global__ void where(int *p) { *p = 3; }
}  // namespace deep::er
__global__ void newest(int *p) { *p = 4; }
}  // namespace v2
namespace {
__global__ void hidden(int *p) { *p = 5; }
__device__ int secret = 6;
}  // namespace
__global__ void reveal(int *p) { *p = secret; ::outer::secret += 1; }
}  // namespace outer

namespace {
namespace a { namespace b { namespace c {
template <typename T> __global__ void where(T *p, T v) { *p = v; }
}}}
}  // namespace

namespace abc = a::b::c;

namespace [[deprecated]] empty_one {}

namespace outer::inner {  // opened again
__global__ void again(int *p);
}
__global__ void outer::inner::again(int *p) { *p = 8; }

struct Scope {
    using Kernel = void (*)(int *);
    static constexpr int grid = 1;
};

namespace use {
using outer::inner::where;
static void call(int *p) { where<<<Scope::grid, 1>>>(p); }
}  // namespace use

static int *d;

static void ask(const char *name)
{
    int h = -1;
    cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess) e = cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    if (e != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(e));
        std::exit(1);
    }
    std::printf("%-20s %d\n", name, h);
}

int main()
{
    if (cudaMalloc(&d, sizeof(int)) != cudaSuccess) return 1;
    ::where<<<1, 1>>>(d);
    ask("::where");
    outer::where<<<1, 1>>>(d);
    ask("outer::where");
    outer::inner::where<<<1, 1>>>(d);
    ask("outer::inner::where");
    outer::deep::er::where<<<1, 1>>>(d);
    ask("deep::er::where");
    outer::newest<<<1, 1>>>(d);
    ask("outer::newest");
    outer::v2::newest<<<1, 1>>>(d);
    ask("outer::v2::newest");
    outer::hidden<<<1, 1>>>(d);
    ask("outer::hidden");
    outer::reveal<<<1, 1>>>(d);
    ask("outer::reveal");
    outer::reveal<<<1, 1>>>(d);
    ask("outer::reveal");
    abc::where<<<1, 1>>>(d, 77);
    ask("abc::where");
    a::b::c::where<int><<<1, 1>>>(d, 78);
    ask("a::b::c::where");
    {
        using namespace outer::inner;
        again<<<1, 1>>>(d);
        ask("again");
    }
    use::call(d);
    ask("use::call");
    Scope::Kernel k = outer::where;
    k<<<1, 1>>>(d);
    ask("pointer");
    return cudaFree(d) == cudaSuccess ? 0 : 1;
}
