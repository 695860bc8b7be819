// prints: hello 0 / 13.5 24 48 1 / 0 0 7 / 6 51.25 50.5
// Kernels get lambdas, which capture variables and constants of a function, types of its template, and each other.
#include <cstdio>

template <int threads, class F> __global__ void each(int n, F f) {
    int i = blockIdx.x * threads + threadIdx.x;
    if (i < n) f(i);
}
template <class F> void run(int n, F f) {
    each<32, F><<<(n + 31) / 32, 32>>>(n, f);
}

namespace tools {
__device__ float half_of(float x) { return x / 2; }
struct Pair {
    float a, b;
};
template <class T, int step> float fill(T* __restrict__ out, const T* __restrict__ in, int n, const Pair& pair) {
    constexpr int two = 2;
    using Number = T;
    run(n, [=] __device__(int i) {
        Number table[two] = {Number(pair.a), Number(pair.b)};  // i is no variable of the function's
        out[i] = half_of(in[i]) + table[i % two] + step;
    });
    float extra = 0.25f, other = 3;
    T more = extra * 2;
    auto add = [out, more] __host__ __device__(int i) -> T {
        if (i < 0) return more * 2;
        return out[i] += more;
    };
    for (int round = 0; round < 2; round++)
        run(n, [=] __device__(int i) mutable {
            round *= 0, out[i] += round;
            if (round == 0 && other == 3) add(i);
        });
    return add(-1);
}
}  // namespace tools

int main() {
    float *a, *b;
    const int n = 50;
    cudaMallocManaged(&a, n * sizeof(float)), cudaMallocManaged(&b, n * sizeof(float));
    for (int i = 0; i < n; i++) a[i] = i;
    auto size = n;
    run(1, [] __device__(int i) { printf("hello %d / ", i); });
    cudaDeviceSynchronize();
    float more = tools::fill<float, 3>(b, a, n, {10, 20});
    cudaDeviceSynchronize();
    printf("%g %g %g %g / ", b[0] - 0.5f, b[1] - 0.5f, b[49] - 0.5f, more);
    int corners[] = {0, 1, 2};
    if (corners[1]) run(2, [a, size] __device__(int i) { a[size - 1 - i] = 0; });
    cudaDeviceSynchronize();
    printf("%g %g %g / ", a[49], a[48], a[7]);
    int factor = 3;
    auto times = [&factor](int x) { return factor * x; };  // of the host alone
    auto sum = [=] __host__ __device__(int x, const float& y) { return x + y + size; };
    run(1, [=] __device__(auto i) { b[i] = sum(i, 0.5f); });
    cudaDeviceSynchronize();
    printf("%d %g %g\n", times(2), sum(1, 0.25), b[0]);
    cudaFree(a), cudaFree(b);
}
