// nvcc: --extended-lambda
// The same lambda runs on the host and on the device.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace detail {

void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
        std::exit(1);
    }
}

template <class T, class F>
__global__ void map(T *data, int n, F f)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = f(data[i], i);
}

}  // namespace detail

template <class T, class F>
std::vector<T> map_device(std::vector<T> values, F f)
{
    T *d = nullptr;
    const int n = static_cast<int>(values.size());
    detail::check(cudaMalloc(&d, n * sizeof(T)), "cudaMalloc");
    detail::check(cudaMemcpy(d, values.data(), n * sizeof(T), cudaMemcpyHostToDevice), "to device");
    detail::map<<<(n + 31) / 32, 32>>>(d, n, f);
    detail::check(cudaGetLastError(), "launch");
    detail::check(cudaMemcpy(values.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost), "to host");
    detail::check(cudaFree(d), "cudaFree");
    return values;
}

template <class T, class F>
std::vector<T> map_host(std::vector<T> values, F f)
{
    int i = 0;
    std::transform(values.begin(), values.end(), values.begin(), [&](T x) { return f(x, i++); });
    return values;
}

template <class F>
bool agree(const char *title, F f)
{
    std::vector<long> values(70);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<long>(i * i) - 100;
    const auto host = map_host(values, f);
    const auto device = map_device(values, f);
    std::printf("%s: %s, %ld %ld\n", title, host == device ? "equal" : "DIFFERENT", host.front(), host.back());
    return host == device;
}

int main()
{
    long a = 3, b = -7;
    bool all = true;
    all &= agree("linear", [=] __host__ __device__(long x, int) { return a * x + b; });
    all &= agree("index", [=] __host__ __device__(long x, int i) -> long { return i % 2 ? x : a; });
    all &= agree("clamp", [a] __device__ __host__(long x, int i) {
        const auto low = -a, high = a * i;
        return x < low ? low : x > high ? high : x;
    });
    all &= agree("loop", [] __host__ __device__(long x, int) {
        long digits = 0;
        for (long v = x < 0 ? -x : x; v > 0; v /= 10) ++digits;
        return digits;
    });
    std::printf("%s\n", all ? "all equal" : "not equal");
    return all ? 0 : 1;
}
