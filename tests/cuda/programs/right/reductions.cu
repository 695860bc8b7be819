// prints: int 499500, float 1000, double 0.5, maximum 999
// One reduction for several types and operations, by shuffles and one atomic for each block.
#include <cstdio>
#include <limits>
#include <type_traits>
#include <vector>

template <class T> struct Sum {
    static constexpr T none = 0;
    __device__ static T join(T a, T b) { return a + b; }
    __device__ static void into(T* total, T part) { atomicAdd(total, part); }
};
template <class T> struct Maximum {
    static constexpr T none = std::numeric_limits<T>::lowest();
    __device__ static T join(T a, T b) { return a > b ? a : b; }
    __device__ static void into(T* total, T part) { atomicMax(total, part); }
};

template <class T, class Operation, int THREADS> __global__ void reduce(const T* in, T* total, int n) {
    static_assert(THREADS % 32 == 0, "whole warps");
    __shared__ T parts[THREADS / 32];
    T mine = Operation::none;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        mine = Operation::join(mine, in[i]);
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2)
        mine = Operation::join(mine, __shfl_down_sync(0xffffffffu, mine, lanes));
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = threadIdx.x < THREADS / 32 ? parts[threadIdx.x] : Operation::none;
        for (int lanes = 16; lanes > 0; lanes /= 2)
            mine = Operation::join(mine, __shfl_down_sync(0xffffffffu, mine, lanes));
        if (threadIdx.x == 0) Operation::into(total, mine);
    }
}

template <class T, template <class> class Operation> T reduced(const std::vector<T>& host) {
    T *in, *total, result = Operation<T>::none;
    cudaMalloc(&in, host.size() * sizeof(T));
    cudaMalloc(&total, sizeof(T));
    cudaMemcpy(in, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(total, &result, sizeof(T), cudaMemcpyHostToDevice);
    reduce<T, Operation<T>, 128><<<3, 128>>>(in, total, int(host.size()));
    if (cudaError_t error = cudaGetLastError()) fprintf(stderr, "%s\n", cudaGetErrorName(error));
    cudaMemcpy(&result, total, sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(total);
    return result;
}

int main() {
    std::vector<int> numbers(1000);
    for (int i = 0; i < 1000; i++) numbers[i] = i;
    printf("int %d, float %g, double %g, maximum %d\n", reduced<int, Sum>(numbers),
           reduced<float, Sum>(std::vector<float>(1000, 1.0f)), reduced<double, Sum>({0.25, 0.125, 0.125}),
           reduced<int, Maximum>(numbers));
}
