#pragma once
struct Vector {
    float x, y;
};
namespace geometry {
__device__ float dot(Vector a, Vector b);
__device__ Vector scaled(const Vector& v, float by);
}  // namespace geometry
__device__ int collatz(int n, int steps = 0);
__device__ int odd(int n, int steps);
__host__ __device__ int square(int n);
extern "C" __device__ int plain(int a);
template <class T>
__device__ T twice(T x);
extern template __device__ long twice<long>(long);
