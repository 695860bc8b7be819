#include <cstdio>
#include <cstdlib>

/* Policies arrive as template template parameters. */

template <typename T> struct Plus  { __device__ static T apply(T a, T b) { return a + b; } static const char *name() { return "plus"; } };
template <typename T> struct Times { __device__ static T apply(T a, T b) { return a * b; } static const char *name() { return "times"; } };
template <typename T, int Bias = 3>
struct Biased { __device__ static T apply(T a, T b) { return a - b + Bias; } static const char *name() { return "biased"; } };

template <template <typename...> class Policy, typename T>
struct Bind { using type = Policy<T>; };

template <template <typename> class Policy, typename T>
__global__ void combine(T *a, const T *b)
{
    a[threadIdx.x] = Policy<T>::apply(a[threadIdx.x], b[threadIdx.x]);
}

template <typename T, template <typename U, int> class Policy, int Bias>
__global__ void combine_biased(T *a, const T *b)
{
    a[threadIdx.x] = Policy<T, Bias>::apply(a[threadIdx.x], b[threadIdx.x]);
}

template <template <template <typename> class, typename> class Outer, template <typename> class Inner, typename T>
struct Compose : Outer<Inner, T> {};

template <template <typename> class P, typename T>
struct TwiceOf { __device__ static T apply(T a, T b) { return P<T>::apply(P<T>::apply(a, b), b); } };

template <typename C, typename T>
__global__ void generic(T *a, const T *b)
{
    a[threadIdx.x] = C::apply(a[threadIdx.x], b[threadIdx.x]);
}

static void ok(cudaError_t e) { if (e != cudaSuccess) { fputs(cudaGetErrorString(e), stderr); exit(1); } }

template <typename T> struct Buffers {
    static constexpr int N = 6;
    T *a = nullptr, *b = nullptr;
    Buffers()
    {
        T x[N], y[N];
        for (int i = 0; i < N; ++i) { x[i] = T(i + 1); y[i] = T(2 * i); }
        ok(cudaMalloc(&a, sizeof x));
        ok(cudaMalloc(&b, sizeof y));
        ok(cudaMemcpy(a, x, sizeof x, cudaMemcpyHostToDevice));
        ok(cudaMemcpy(b, y, sizeof y, cudaMemcpyHostToDevice));
    }
    ~Buffers() { ok(cudaFree(a)); ok(cudaFree(b)); }
    Buffers(const Buffers &) = delete;
    void show(const char *title)
    {
        T x[N];
        ok(cudaGetLastError());
        ok(cudaDeviceSynchronize());
        ok(cudaMemcpy(x, a, sizeof x, cudaMemcpyDeviceToHost));
        printf("%s: %g %g %g\n", title, double(x[0]), double(x[2]), double(x[N - 1]));
    }
};

template <template <typename> class Policy, typename T> void run()
{
    Buffers<T> buffers;
    combine<Policy><<<1, Buffers<T>::N>>>(buffers.a, buffers.b);
    buffers.show(Policy<T>::name());
}

int main()
{
    run<Plus, int>();
    run<Times, float>();
    {
        Buffers<long> buffers;
        combine_biased<long, Biased, (7 > 3 ? 100 : 0)><<<1, 6>>>(buffers.a, buffers.b);
        buffers.show("biased");
    }
    {
        Buffers<int> buffers;
        generic<Compose<TwiceOf, Plus, int>><<<1, 6>>>(buffers.a, buffers.b);
        buffers.show("twice plus");
    }
    {
        Buffers<int> buffers;
        generic<Bind<Times, int>::type><<<1, 6>>>(buffers.a, buffers.b);
        buffers.show("bound times");
    }
    return 0;
}
