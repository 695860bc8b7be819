// finds: StreamRace, line 32
// says: clear writes
// says: sum reads
// The second kernel overwrites what the first one may still read.
#include <cstdio>

__global__ void sum(const int* x, int* y)
{
    cudaTriggerProgrammaticLaunchCompletion();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + x[(i + 1) % 256];
}

__global__ void clear(int* x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 0;
    cudaGridDependencySynchronize();
}

template <class... P, class... A>
void launch_early(void (*kernel)(P...), A... arguments)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 4;
    config.blockDim = 64;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, kernel, arguments...);
}

int main()
{
    int *x, *y, got;
    cudaMalloc(&x, 256 * sizeof(int));
    cudaMalloc(&y, 256 * sizeof(int));
    cudaMemset(x, 1, 256 * sizeof(int));
    sum<<<4, 64>>>(x, y);
    launch_early(clear, x);
    cudaMemcpy(&got, y + 255, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", got);
    cudaFree(x), cudaFree(y);
}
