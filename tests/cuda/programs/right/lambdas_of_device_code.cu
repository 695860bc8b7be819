// prints: 40
// Lambdas that nvcc takes without any flag.
#include <cstdio>
#include <algorithm>
#include <vector>
template <typename F> __host__ __device__ void times(int n, F f) { for (int i = 0; i < n; i++) f(i); }
struct Acc {
    int total;
    __device__ Acc(int n) : total(0) { times(n, [&](int i) { total += i; }); }
    __device__ ~Acc() { times(1, [&](int) { total = 0; }); }
    __host__ __device__ int twice() const { auto f = [this](int x) { return x * total; }; return f(2); }
    template <typename T> __device__ T scaled(T by) { return [=](T v) { return v * by; }(T(total)); }
    __device__ int operator()(int x) { auto g = [x](auto y) { return x + y; }; return g(total); }
};
namespace ns { namespace { __device__ int hidden(int x) { return [](int a) { return a + 1; }(x); } } }
extern "C" __global__ void plain(int* out) { auto f = [=](int i) { out[i] = i; }; f(threadIdx.x); }
static __device__ int fixed(int x) { auto outer = [x](int a) { auto inner = [a, x](int b) { return a + b + x; }; return inner(1); }; return outer(2); }
template <int N, typename... Ts> __global__ void many(int* out, Ts... ts) {
    Acc a(N); int s = 0;
    auto add = [&](auto v) { s += v; };
    (add(ts), ...);
    out[threadIdx.x] = s + a.twice() + a.scaled(2) + a(3) + ns::hidden(4) + fixed(5);
}
template <typename T> struct Box { T v; __device__ Box(T x) : v([](T y) { return y; }(x)) {} __device__ operator T() const { return [this] { return v; }(); } };
__global__ void boxes(float* o) { Box<float> b(2.f); o[threadIdx.x] = b; static auto k = [](int i) { return i; }; o[0] += k(1); }
int main() {
    int* x; cudaMallocManaged(&x, 256);
    float* y; cudaMallocManaged(&y, 256);
    plain<<<1, 64>>>(x); many<3><<<1, 64>>>(x, 1, 2, 3); boxes<<<1, 1>>>(y);
    cudaDeviceSynchronize();
    std::vector<int> v(3, 1); std::for_each(v.begin(), v.end(), [&](int i) { x[0] += i; });
    printf("%d\n", x[0]); cudaFree(x); cudaFree(y);
}
