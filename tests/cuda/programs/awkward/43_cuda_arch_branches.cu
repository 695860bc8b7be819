#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#if defined(__CUDA_ARCH__)
#  define ON_DEVICE 1
#else
#  define ON_DEVICE 0
#endif

#ifdef __CUDA_ARCH__
#  if __CUDA_ARCH__ >= 700
#    define HAS_INDEPENDENT_THREADS 1
#  else
#    define HAS_INDEPENDENT_THREADS 0
#  endif
#endif

__host__ __device__ int place()
{
#ifdef __CUDA_ARCH__
    return 1000 + static_cast<int>(threadIdx.x);
#else
    std::vector<int> v(3, 2);
    return static_cast<int>(v.size());
#endif
}

__host__ __device__ inline void fail_if(bool condition)
{
    if (condition) {
#if __CUDA_ARCH__
        __trap();
#else
        throw std::runtime_error("failed on the host");
#endif
    }
}

__host__ __device__ int count_bits(unsigned x)
{
#if ON_DEVICE
    return __popc(x);
#else
    int n = 0;
    for (; x; x &= x - 1) ++n;
    return n;
#endif
}

template <typename T>
struct Accessor {
    T *p;
    __host__ __device__ T &operator[](int i) const
    {
#if !defined(__CUDA_ARCH__)
        if (i < 0) throw std::out_of_range("negative");
#endif
        return p[i];
    }
};

#define BOTH(f) __host__ __device__ int f() { return ON_DEVICE; }
BOTH(on_device)

__global__ void kernel(int *out)
{
    Accessor<int> a{out};
    fail_if(threadIdx.x > 31);
    a[threadIdx.x] = place() + 10000 * on_device();
    if (threadIdx.x == 0) {
        a[1 + blockDim.x] = count_bits(0xf0f0u);
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 200)
#error "too old a device"
#endif
#ifdef __CUDA_ARCH__
        a[blockDim.x] = HAS_INDEPENDENT_THREADS;
#endif
    }
}

int main()
{
    int *d, h[6] = {};
    auto ok = [](cudaError_t e) { if (e != cudaSuccess) { std::printf("%s\n", cudaGetErrorString(e)); std::exit(1); } };
    ok(cudaMalloc(&d, sizeof h));
    kernel<<<1, 4>>>(d);
    ok(cudaGetLastError());
    ok(cudaDeviceSynchronize());
    ok(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int v : h) std::printf("%d ", v);
    std::printf("\nhost: %d %d %d\n", place(), count_bits(0xf0f0u), on_device());
    try {
        fail_if(true);
    } catch (const std::exception &e) {
        std::printf("%s\n", e.what());
    }
    try {
        Accessor<int>{h}[-1] = 0;
    } catch (const std::out_of_range &e) {
        std::printf("%s\n", e.what());
    }
    ok(cudaFree(d));
    return 0;
}
