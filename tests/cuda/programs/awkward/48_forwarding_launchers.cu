#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// Launchers that forward packs to kernels, in several layers.

__global__ void axpy(int n, double a, const double *x, double *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

template <typename T, int Step>
__global__ void fill(T *p, int n, T start)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = start + T(i * Step);
}

__global__ void no_arguments() {}

class Launcher {
    dim3 grid_, block_;
    cudaStream_t stream_;
    std::string name_;

public:
    Launcher(std::string name, int n, int threads, cudaStream_t stream = nullptr)
        : grid_((n + threads - 1) / threads), block_(threads), stream_(stream), name_(std::move(name))
    {
    }

    // The types of the parameters come from the kernel, those of the arguments are converted.
    template <typename... Params, typename... Args>
    const Launcher &operator()(void (*kernel)(Params...), Args &&...args) const
    {
        static_assert(sizeof...(Params) == sizeof...(Args), "wrong number of arguments");
        kernel<<<grid_, block_, 0, stream_>>>(static_cast<Params>(std::forward<Args>(args))...);
        if (const cudaError_t e = cudaGetLastError(); e != cudaSuccess) {
            std::fprintf(stderr, "%s: %s\n", name_.c_str(), cudaGetErrorString(e));
            std::exit(1);
        }
        return *this;
    }

    template <typename Tuple, typename... Params>
    void apply(void (*kernel)(Params...), Tuple &&tuple) const
    {
        std::apply([&](auto &&...args) { (*this)(kernel, std::forward<decltype(args)>(args)...); }, std::forward<Tuple>(tuple));
    }

    template <auto Kernel, typename... Args>
    void fixed(Args... args) const
    {
        Kernel<<<grid_, block_, 0, stream_>>>(args...);
        if (cudaGetLastError() != cudaSuccess) std::exit(2);
    }

    template <typename... Params>
    void packed(void (*kernel)(Params...), std::common_type_t<Params>... args) const
    {
        void *pointers[sizeof...(Params) + 1] = {(void *)std::addressof(args)..., nullptr};
        if (cudaLaunchKernel((const void *)kernel, grid_, block_, pointers, 0, stream_) != cudaSuccess) std::exit(3);
    }
};

int main()
{
    const int n = 100;
    std::vector<double> h(n);
    double *x = nullptr, *y = nullptr;
    cudaStream_t stream = nullptr;
    if (cudaMalloc(&x, n * sizeof(double)) || cudaMalloc(&y, n * sizeof(double)) || cudaStreamCreate(&stream)) return 1;

    const Launcher launch("main", n, 32, stream);
    launch(fill<double, 1>, x, n, 0)(fill<double, -1>, y, 100L, 1.0f);
    launch(axpy, n, 2, x, y)(no_arguments);
    launch.apply(axpy, std::make_tuple(n, 0.5, x, y));
    launch.fixed<axpy>(n, -1.0, x, y);
    launch.template fixed<fill<double, 3>>(x, 50, 7.0);
    launch.packed(axpy, n, 10.0, x, y);
    launch.packed(no_arguments);
    std::function<void(double)> bound = std::bind([&](double a) { launch(axpy, n, a, x, y); }, std::placeholders::_1);
    bound(-10);
    if (cudaStreamSynchronize(stream) != cudaSuccess) return 1;
    if (cudaMemcpy(h.data(), y, n * sizeof(double), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%.1f %.1f %.1f\n", h[0], h[10], h[99]);
    if (cudaMemcpy(h.data(), x, n * sizeof(double), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%.1f %.1f %.1f\n", h[0], h[49], h[50]);
    if (cudaStreamDestroy(stream) || cudaFree(x) || cudaFree(y)) return 1;
    return 0;
}
