// prints: 19.23319161 19.23319161 2.593743022 2.593743022
// CUDA's mathematical functions that the host has, too; and in a program a power of two types is a double.
#include <cmath>
#include <cstdio>
#include <type_traits>

__host__ __device__ double f(float x, double d, int i)
{
    static_assert(std::is_same_v<decltype(pow(x, 2)), double>);
    static_assert(std::is_same_v<decltype(std::pow(x, i)), double>);
    static_assert(std::is_same_v<decltype(pow(x, x)), float>);
    static_assert(std::is_same_v<decltype(pow(x, d)), double>);
    static_assert(std::is_same_v<decltype(min(x, d)), double>);
    int e; double w;
    double own = rsqrt(d) + rsqrtf(x) + sinpif(x) + rcbrt(d) + normcdf(x) + erfinv(0.5 * d)
        + erfcx(d) + normcdfinvf(0.5f);
    double of_cpp = std::frexp(d, &e) + std::modf(d, &w) + std::lround(d) + std::asinh(d)
        + std::tgamma(d) + std::lgamma(d) + std::nearbyint(x) + std::nextafter(x, x);
    return own + of_cpp + min(x, d) + max(2u, 3u) + min(3l, 2l);
}
__global__ void k(double *o)
{
    o[0] = f(0.7f, 0.3, 2);
    o[1] = pow(1.1f, 10);
}

int main()
{
    double *d, h[2];
    if (cudaMalloc(&d, sizeof h)) return 1;
    k<<<1, 1>>>(d);
    if (cudaGetLastError()) return 1;
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%.10g %.10g %.10g %.10g\n", f(0.7f, 0.3, 2), h[0], pow(1.1f, 10), h[1]);
}
