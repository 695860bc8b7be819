#include <cstdio>
#include <cstdlib>

namespace cfg {
constexpr int warps = 2;
constexpr int threads(int w) { return w * 32; }
template <typename T> struct Limit { static constexpr int max = sizeof(T) > 4 ? 64 : 128; enum { blocks = 2 }; };
template <typename T> inline constexpr int limit_v = Limit<T>::max;
}  // namespace cfg

#define BOUNDS(...) __launch_bounds__(__VA_ARGS__)
#define MAXT ((cfg::warps << 5) * 2)

__global__ void __launch_bounds__(cfg::threads(cfg::warps)) a(int *p) { atomicAdd(p, 1); }
__global__ __launch_bounds__(MAXT, (3 > 2) ? 2 : 1) void b(int *p) { atomicAdd(p, 1); }
BOUNDS(cfg::threads(2), 1) static __global__ void c(int *p) { atomicAdd(p, 1); }

template <int N>
__global__ void __launch_bounds__(N) d(int *p) { if (threadIdx.x < N) atomicAdd(p, N); }

template <int N, int B = 1>
__global__ void
__launch_bounds__(N > 32 ? N : 32,
                  B)
e(int *p)
{
    atomicAdd(p, B);
}

template <typename T>
__launch_bounds__(cfg::Limit<T>::max, cfg::Limit<T>::blocks) __global__ void f(T *p) { atomicAdd(p, T(2)); }

template <class T>
BOUNDS(cfg::limit_v<T>) __global__ auto g(T *p) -> void { atomicAdd(p, T(3)); }

struct Policy {
    static constexpr unsigned threads = 96;
    template <int K> static constexpr unsigned scaled() { return threads / K; }
};

template <typename P>
__global__ void __launch_bounds__(P::template scaled<3>(), 2) h(int *p) { atomicAdd(p, 4); }

// Declared with bounds, defined with the same ones.
__global__ void __launch_bounds__(sizeof(double) * 8) i(int *p);
__global__ void __launch_bounds__(sizeof(double) * 8) i(int *p) { atomicAdd(p, 5); }

static int failures = 0;

template <typename T>
static void report(const char *name, T *p)
{
    T v{};
    for (cudaError_t s : {cudaGetLastError(), cudaDeviceSynchronize(), cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost), cudaMemset(p, 0, sizeof v)})
        if (s != cudaSuccess) {
            std::printf("%s: %s\n", name, cudaGetErrorString(s));
            ++failures;
        }
    std::printf("%s = %lld\n", name, static_cast<long long>(v));
}

template <typename K>
static int max_threads(K *kernel)
{
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) ++failures;
    return attributes.maxThreadsPerBlock;
}

int main()
{
    int *p;
    unsigned long long *q;
    if (cudaMalloc(&p, sizeof *p) || cudaMalloc(&q, sizeof *q)) return 1;
    if (cudaMemset(p, 0, sizeof *p) || cudaMemset(q, 0, sizeof *q)) return 1;
    a<<<2, 64>>>(p); report("a", p);
    b<<<1, 128>>>(p); report("b", p);
    c<<<1, 64>>>(p); report("c", p);
    d<48><<<1, 48>>>(p); report("d<48>", p);
    e<16><<<1, 32>>>(p); report("e<16>", p);
    e<64, 2><<<1, 64>>>(p); report("e<64, 2>", p);
    f<int><<<1, 128>>>(p); report("f<int>", p);
    f<unsigned long long><<<1, 64>>>(q); report("f<unsigned long long>", q);
    g<<<1, (cfg::limit_v<unsigned long long>)>>>(q); report("g", q);
    h<Policy><<<1, 32>>>(p); report("h", p);
    i<<<1, 64>>>(p); report("i", p);
    std::printf("max threads: %d %d %d\n", max_threads(d<48>), max_threads(h<Policy>), max_threads(a));
    if (cudaFree(p) || cudaFree(q)) return 1;
    return failures;
}
