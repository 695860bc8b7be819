// Host functions, host templates, variables and types with the names of kernels.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

__global__ void scale(float *x, int n, float f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= f;
}

// A host overload that calls the kernel.
void scale(std::vector<float> &v, float f)
{
    float *d;
    const int n = static_cast<int>(v.size());
    if (cudaMalloc(&d, n * sizeof(float)) != cudaSuccess) std::exit(1);
    if (cudaMemcpy(d, v.data(), n * sizeof(float), cudaMemcpyHostToDevice) != cudaSuccess) std::exit(2);
    scale<<<(n + 7) / 8, 8>>>(d, n, f);
    if (cudaGetLastError() != cudaSuccess) std::exit(3);
    if (cudaMemcpy(v.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) std::exit(4);
    if (cudaFree(d) != cudaSuccess) std::exit(5);
}

// A host template of the same name, which does it on the host.
template <typename T>
void scale(std::vector<T> &v, int f)
{
    for (auto &x : v) x *= f;
}

namespace host {
template <typename T> T reduce(const T *p, int n) { return std::accumulate(p, p + n, T{}); }
struct histogram { std::vector<int> bins; explicit histogram(int n) : bins(n) {} void operator()(int i) { ++bins[i]; } };
}  // namespace host

template <typename T>
__global__ void reduce(const T *p, int n, T *out)
{
    T t{};
    for (int i = 0; i < n; ++i) t += p[i];
    *out = t;
}

__global__ void histogram(const int *keys, int n, int *bins)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&bins[keys[i]], 1);
}

struct Kernel { int grid, block; };                 // a type called Kernel
static int kernel = 32;                             // a variable called kernel
static int launch(int threadIdx, int blockDim) { return threadIdx * blockDim; }  // host parameters with device names

int main()
{
    std::vector<float> floats(20, 1.5f);
    scale(floats, 4.0f);
    std::vector<int> ints{1, 2, 3};
    scale(ints, 2);
    std::printf("%g %d\n", floats[19], ints[2]);

    using host::reduce;  // hides nothing: two overload sets meet here
    int *d_keys, *d_bins, *d_sum, keys[64], bins[4], sum;
    host::histogram histogram_on_host(4);
    for (int i = 0; i < 64; ++i) histogram_on_host(keys[i] = i * i % 4);
    if (cudaMalloc(&d_keys, sizeof keys) || cudaMalloc(&d_bins, sizeof bins) || cudaMalloc(&d_sum, sizeof sum)) return 1;
    if (cudaMemcpy(d_keys, keys, sizeof keys, cudaMemcpyHostToDevice) || cudaMemset(d_bins, 0, sizeof bins)) return 1;
    const Kernel config{1, kernel};
    histogram<<<config.grid, config.block>>>(d_keys, 64, d_bins);
    if (cudaGetLastError()) return 1;
    ::reduce<<<1, 1>>>(d_keys, 64, d_sum);
    if (cudaGetLastError() || cudaDeviceSynchronize()) return 1;
    if (cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost) || cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost)) return 1;
    bool same = sum == reduce(keys, 64);
    for (int i = 0; i < 4; ++i) same = same && bins[i] == histogram_on_host.bins[i];
    std::printf("%d %d %d %d, sum %d, %s, %d\n", bins[0], bins[1], bins[2], bins[3], sum, same ? "same" : "different", launch(3, 5));
    if (cudaFree(d_keys) || cudaFree(d_bins) || cudaFree(d_sum)) return 1;
    return 0;
}
