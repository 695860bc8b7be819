// prints: 20.5 14.5 16.5
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/bit>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/utility>
#include <cuda/std/optional>
#include <cuda/std/functional>
#include <cuda/std/limits>
__global__ void k(float* out, int n) {
    cuda::std::array<float, 4> a{1, 2, 3, 4};
    cuda::std::span<float> s(out, n);
    auto t = cuda::std::make_tuple(1, 2.5f);
    auto p = cuda::std::make_pair(3, 4.0f);
    cuda::std::complex<float> c(0, 1);
    c = c * c;
    int i = threadIdx.x;
    if (i < n) s[i] = a[i % 4] + cuda::std::get<1>(t) + p.second + c.real() + cuda::std::popcount(7u) + cuda::std::sqrt(16.0f);
    if (i == 0) { cuda::std::optional<int> o = 3; s[0] += *o + cuda::std::plus<>{}(1, 2) + (cuda::std::numeric_limits<int>::max() > 0); }
}
int main() {
    float* d; float h[32];
    cudaMalloc(&d, sizeof h);
    k<<<1, 32>>>(d, 32);
    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)) return 1;
    printf("%g %g %g\n", h[0], h[1], h[31]);
    return cudaFree(d);
}
