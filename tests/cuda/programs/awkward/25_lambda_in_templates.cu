// nvcc: --extended-lambda
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

template <typename F, typename... A>
__global__ void call(F f, A... a)
{
    f(threadIdx.x, a...);
}

struct Failure { cudaError_t code; int line; };
#define GUARD(e) do { cudaError_t c_ = (e); if (c_ != cudaSuccess) throw Failure{c_, __LINE__}; } while (0)

template <typename T>
struct Array {
    T *data;
    int n;

    explicit Array(int count) : data(nullptr), n(count) { GUARD(cudaMalloc(&data, n * sizeof(T))); }
    ~Array() { if (cudaFree(data) != cudaSuccess) std::abort(); }
    Array(Array const &) = delete;

    // Lambdas nested in a template inside a class template.
    template <typename Generator>
    void generate(Generator g)
    {
        T *p = data;
        call<<<1, n>>>([p, g] __device__(unsigned i) { p[i] = g(i); });
        GUARD(cudaGetLastError());
    }

    template <typename U, int Times>
    void convert_into(Array<U> &other)
    {
        const T *from = data;
        U *to = other.data;
        call<<<1, n>>>(
            [=] __device__(unsigned i, U bias) {
                U sum = bias;
                const T value = from[i];  // captured here, since it may not be captured first in a constexpr if
                auto step = [&](auto weight) {  // an ordinary lambda inside a device one
                    if constexpr (std::is_floating_point_v<U>)
                        sum += static_cast<U>(value) / weight;
                    else
                        sum += static_cast<U>(value) * weight;
                };
                for (int k = 1; k <= Times; ++k) step(k);
                to[i] = sum;
            },
            U(1));
        GUARD(cudaGetLastError());
    }

    void print(const char *name) const
    {
        T *h = new T[n];
        GUARD(cudaMemcpy(h, data, n * sizeof(T), cudaMemcpyDeviceToHost));
        std::printf("%s:", name);
        for (int i = 0; i < n; ++i) std::printf(" %g", static_cast<double>(h[i]));
        std::printf("\n");
        delete[] h;
    }
};

// A generic lambda, not extended, is defined and used inside a kernel.
template <typename T>
__global__ void generic_inside(T *p)
{
    auto add = [](auto a, auto b) { return a + b; };
    auto twice = [add]<typename V>(V v) -> V { return add(v, v); };
    auto compose = [](auto f, auto g) { return [=](auto x) { return f(g(x)); }; };
    p[threadIdx.x] = compose(twice, twice)(p[threadIdx.x]);
}

int main()
try {
    Array<int> a(6);
    a.generate([] __device__(unsigned i) { return static_cast<int>(i * i); });
    a.print("a");
    Array<double> b(6);
    a.convert_into<double, 2>(b);
    b.print("b");
    Array<long long> c(6);
    a.convert_into<long long, 3>(c);
    c.print("c");
    generic_inside<<<1, 6>>>(b.data);
    GUARD(cudaGetLastError());
    GUARD(cudaDeviceSynchronize());
    b.print("b");
    return 0;
} catch (const Failure &failure) {
    std::printf("%d: %s\n", failure.line, cudaGetErrorString(failure.code));
    return 1;
}
