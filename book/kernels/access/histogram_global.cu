// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 256), zeros('int32', 32), 256]

// Every thread adds to the bins in global memory.
__global__ void histogram_global(const int* in, int* bins, int n)
{
    for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[in[i] % 32], 1);
}
