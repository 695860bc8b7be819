#pragma once
#include <cuda_runtime.h>

namespace reduce {

template <typename T> struct Sum {
    static constexpr T identity = T(0);
    __host__ __device__ T operator()(T a, T b) const { return a + b; }
};

template <typename T> struct Max {
    static constexpr T identity = T(-1000);
    __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

inline __device__ int lane() { return threadIdx.x & 31; }

template <int Threads, typename T, typename Op>
__global__ void of_block(const T* in, T* out, int n, Op op)
{
    __shared__ T part[Threads];
    T value = Op::identity;
    for (int i = threadIdx.x; i < n; i += Threads) value = op(value, in[i]);
    part[threadIdx.x] = value;
    __syncthreads();
    for (int step = Threads / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] = op(part[threadIdx.x], part[threadIdx.x + step]);
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = part[0];
}

template <typename Op, typename T> T run(const T* host, int n, Op op = {})
{
    T *in, *out, result{};
    cudaMalloc(&in, n * sizeof(T));
    cudaMalloc(&out, sizeof(T));
    cudaMemcpy(in, host, n * sizeof(T), cudaMemcpyHostToDevice);
    of_block<64><<<1, 64>>>(in, out, n, op);
    cudaMemcpy(&result, out, sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return result;
}

} // namespace reduce
