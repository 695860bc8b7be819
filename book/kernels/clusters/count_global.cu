// finds: nothing
// launch: grid=4, block=64, args=[numbers('int32', 1000), zeros('uint32', 128), 1000]

// How often does each value occur? All threads count in global memory.
__global__ void count_global(const int* values, unsigned* bins, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&bins[values[i]], 1u);
}
