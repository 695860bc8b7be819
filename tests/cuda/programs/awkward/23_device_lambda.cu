// nvcc: --extended-lambda
#include <cstdio>
#include <cstdlib>

template <typename F>
__global__ void for_each_index(int n, F f)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) f(i);
}

template <typename F>
void parallel_for(int n, F f)
{
    for_each_index<<<2, 16>>>(n, f);
    if (cudaError_t e = cudaGetLastError(); e != cudaSuccess) {
        std::printf("launch: %s\n", cudaGetErrorString(e));
        std::exit(1);
    }
}

template <typename T, typename F>
__global__ void transform(const T *in, T *out, int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(in[i]);
}

#define DEVICE_LAMBDA [=] __device__
#define CHECK(x) if (cudaError_t e = (x); e != cudaSuccess) { std::printf("%s\n", cudaGetErrorString(e)); return 1; }

int main()
{
    constexpr int n = 50;
    float *a, *b, h[n];
    CHECK(cudaMalloc(&a, sizeof h))
    CHECK(cudaMalloc(&b, sizeof h))

    const float slope = 0.5f;
    float offset = 3;
    parallel_for(n, [=] __device__(int i) { a[i] = slope * i + offset; });
    transform<<<2, 32>>>(a, b, n, [=] __device__(float x) -> float { return x > offset * 2 ? x : -x; });
    CHECK(cudaGetLastError())
    parallel_for(n, DEVICE_LAMBDA (int i) mutable { offset += i; b[i] += offset >= 10 ? 100 : 0; });
    int count = 0;
    parallel_for(count, [] __device__(int) {});
    auto named = [b, factor = 2 * slope] __device__(int i) { if (i % 2) b[i] *= factor + 1; };
    parallel_for(n, named);
    parallel_for(10, named);
    CHECK(cudaDeviceSynchronize())
    CHECK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost))
    std::printf("%.2f %.2f %.2f %.2f\n", h[0], h[5], h[11], h[n - 1]);
    CHECK(cudaFree(a))
    CHECK(cudaFree(b))
    return 0;
}
