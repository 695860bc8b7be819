#include "vector.cuh"

namespace geometry {
__device__ float dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y; }
__device__ Vector scaled(const Vector& v, float by) { return {v.x * by, v.y * by}; }
}  // namespace geometry

__device__ int collatz(int n, int steps) {
    if (n == 1) return steps;
    return n % 2 ? odd(n, steps) : collatz(n / 2, steps + 1);
}

__host__ __device__ int square(int n) { return n * n; }
extern "C" __device__ int plain(int a) { return a % 3; }

template <class T>
__device__ T twice(T x) {
    return x + x;
}
template __device__ long twice<long>(long);
