// prints: 3 0 1 2 3, sum 6144
// Each kernel begins while the one before it still runs, prepares what concerns nobody else, and waits before it reads.
#include <cstdio>

__global__ void fill(int* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i % 4;
    cudaTriggerProgrammaticLaunchCompletion();
}

// Only one thread waits; the others know by the barrier.
__global__ void twice(const int* x, int* y, int n)
{
    __shared__ int factor;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        factor = 2;
        cudaGridDependencySynchronize();
    }
    asm volatile("griddepcontrol.launch_dependents;");
    __syncthreads();
    if (i < n) y[i] = factor * x[i];
}

__global__ void sum(const int* y, const int* weights, int* total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int weight = i < n ? weights[i] : 0;  // from the host
    asm volatile("griddepcontrol.wait;" ::: "memory");
    if (i < n) atomicAdd(total, weight * y[i]);
}

template <class... P, class... A>
cudaError_t launch(cudaStream_t stream, void (*kernel)(P...), int n, A... arguments)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = (n + 255) / 256;
    config.blockDim = 256;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, arguments..., n);
}

int main()
{
    const int n = 2048;
    int *x, *y, *weights, *total, got, ones[n], first[4];
    for (int& one : ones) one = 1;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&y, n * sizeof(int));
    cudaMalloc(&weights, n * sizeof(int));
    cudaMalloc(&total, sizeof(int));
    cudaMemcpy(weights, ones, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(total, 0, sizeof(int));
    int done = 0;
    done += launch(stream, fill, n, x) == cudaSuccess;
    done += launch(stream, twice, n, x, y) == cudaSuccess;
    done += launch(stream, sum, n, y, weights, total) == cudaSuccess;
    cudaStreamSynchronize(stream);
    cudaMemcpy(&got, total, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(first, x, sizeof first, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d, sum %d\n", done, first[0], first[1], first[2], first[3], got);
    cudaFree(x), cudaFree(y), cudaFree(weights), cudaFree(total);
    cudaStreamDestroy(stream);
}
