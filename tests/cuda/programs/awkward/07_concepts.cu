#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace {

void check(cudaError_t code, int line = __builtin_LINE())
{
    if (code != cudaSuccess) {
        std::printf("CUDA error at line %d: %s\n", line, cudaGetErrorString(code));
        std::exit(EXIT_FAILURE);
    }
}

template <typename T>
concept Number = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

template <typename T>
concept Wide = Number<T> && (sizeof(T) > 4);

template <typename F, typename T>
concept Reducer = requires(F f, T a, T b) {
    { f(a, b) } -> std::convertible_to<T>;
    { F::template identity<T>() } -> std::same_as<T>;
    requires std::is_empty_v<F>;
};

struct Sum {
    template <Number T> __host__ __device__ static constexpr T identity() { return T{}; }
    template <Number T> __host__ __device__ constexpr T operator()(T a, T b) const { return a + b; }
};

struct Product {
    template <Number T> __host__ __device__ static constexpr T identity() { return T{1}; }
    template <Number T> __host__ __device__ constexpr T operator()(T a, T b) const { return a * b; }
};

}  // namespace

template <Number T, Reducer<T> F>
__global__ void reduce(const T *in, T *out, int n, F f)
{
    T acc = F::template identity<T>();
    for (int i = threadIdx.x; i < n; i += blockDim.x) acc = f(acc, in[i]);
    out[threadIdx.x] = acc;
}

// Three kernels with one name; the most constrained one wins.
template <typename T>
__global__ void classify(T, int *out)
{
    *out = 0;
}

template <typename T>
    requires Number<T>
__global__ void classify(T, int *out)
{
    *out = 1;
}

template <Wide T> requires (sizeof(T) >= 8)
__global__ void classify(T, int *out)
{
    *out = 2;
}

template <typename T>
__device__ constexpr int width() requires (sizeof(T) > 1) || requires { typename T::value_type; }
{
    return static_cast<int>(sizeof(T));
}

template <auto N>
    requires (N > 0 && N < 100)
__global__ void widths(int *out)
{
    out[0] = width<short>() + N;
    out[1] = width<double>() * N;
}

int main()
{
    int h[12];
    for (int i = 0; i < 12; ++i) h[i] = i % 3 + 1;
    int *in, *out;
    check(cudaMalloc(&in, sizeof h));
    check(cudaMalloc(&out, 4 * sizeof(int)));
    check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    reduce<<<1, 4>>>(in, out, 12, Sum{});
    check(cudaGetLastError());
    check(cudaMemcpy(h, out, 4 * sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("sums: %d %d %d %d\n", h[0], h[1], h[2], h[3]);
    reduce<<<1, 4>>>(in, out, 12, Product{});
    check(cudaGetLastError());
    check(cudaMemcpy(h, out, 4 * sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("products: %d %d %d %d\n", h[0], h[1], h[2], h[3]);

    struct Run { static int get(int *p) { int v; check(cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost)); return v; } };
    classify<<<1, 1>>>(nullptr, out);
    check(cudaGetLastError());
    std::printf("nullptr: %d\n", Run::get(out));
    classify<<<1, 1>>>(3.0f, out);
    check(cudaGetLastError());
    std::printf("float: %d\n", Run::get(out));
    classify<<<1, 1>>>(3.0, out);
    check(cudaGetLastError());
    std::printf("double: %d\n", Run::get(out));

    widths<10><<<1, 1>>>(out);
    check(cudaGetLastError());
    check(cudaMemcpy(h, out, 2 * sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("widths: %d %d\n", h[0], h[1]);
    check(cudaFree(in));
    check(cudaFree(out));
    return 0;
}
