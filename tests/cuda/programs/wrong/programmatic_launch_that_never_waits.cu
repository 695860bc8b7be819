// finds: StreamRace, line 30
// says: uses x before it has waited for an earlier kernel
// says: fill writes
// The second kernel may begin while the first one writes, and does not wait.
#include <cstdio>

__global__ void fill(int* x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x + 1;
    cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void twice(const int* x, int* y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
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
    fill<<<4, 64>>>(x);
    launch_early(twice, x, y);
    cudaMemcpy(&got, y + 255, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", got);
    cudaFree(x), cudaFree(y);
}
