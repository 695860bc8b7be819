// Launches only through macros: with __VA_ARGS__, __VA_OPT__, deferred brackets and template arguments.
#include <cstdio>
#include <cstdlib>

#define CUDA_MUST(...)                                                                           \
    do {                                                                                         \
        const cudaError_t cuda_must_status = (__VA_ARGS__);                                      \
        if (cuda_must_status != cudaSuccess) {                                                   \
            std::fprintf(stderr, "%s -> %s\n", #__VA_ARGS__, cudaGetErrorString(cuda_must_status)); \
            std::abort();                                                                        \
        }                                                                                        \
    } while (false)

#define LAUNCH(kernel, grid, block, ...)             \
    do {                                             \
        kernel<<<(grid), (block)>>>(__VA_ARGS__);    \
        CUDA_MUST(cudaGetLastError());               \
    } while (false)

#define CONFIG(grid, block, ...) <<<grid, block __VA_OPT__(,) __VA_ARGS__>>>
#define OPEN <<<
#define CLOSE >>>
#define UNPAREN(...) __VA_ARGS__
#define LAUNCH_T(kernel, targs, ...) kernel<UNPAREN targs> CONFIG(1, 32)(__VA_ARGS__)
#define NOTHING

__global__ void touch() {}

__global__ void iota(int *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = i;
}

template <typename T, int Step>
__global__ void stride_add(T *out, int n)
{
    for (int i = threadIdx.x * Step; i < n; i += blockDim.x * Step) out[i] += T(Step);
}

__global__ void scale_shared(int *data, int n)
{
    extern __shared__ int scratch[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) scratch[i] = data[i] * 2;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = scratch[n - 1 - i];
}

int main()
{
    constexpr int n = 96;
    int *d;
    CUDA_MUST(cudaMalloc(&d, n * sizeof(int)));
    LAUNCH(touch, 1, 1);
    LAUNCH(touch, 1, 1, NOTHING);
    LAUNCH(iota, dim3(2, 1, 1), dim3(16), d, n);
    LAUNCH_T(stride_add, (int, 3), d, n);
    CUDA_MUST(cudaGetLastError());
    stride_add<int, 5> OPEN 1, 8 CLOSE(d, n);
    CUDA_MUST(cudaGetLastError());
    scale_shared CONFIG(1, 32, n * sizeof(int))(d, n);
    CUDA_MUST(cudaGetLastError());
    cudaStream_t s;
    CUDA_MUST(cudaStreamCreate(&s));
    scale_shared CONFIG(1, 32, n * sizeof(int), s)(d, n);
    CUDA_MUST(cudaGetLastError());
    CUDA_MUST(cudaStreamSynchronize(s), cudaDeviceSynchronize());
    CUDA_MUST(cudaStreamDestroy(s));
    int h[n];
    CUDA_MUST(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    std::printf("%d %d %d %d %d\n", h[0], h[1], h[3], h[5], h[n - 1]);
    CUDA_MUST(cudaFree(d));
    return 0;
}
