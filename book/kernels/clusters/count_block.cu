// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=4, block=64, shared_mem=512, args=[numbers('int32', 1000), zeros('uint32', 128), 1000, 128]

// Each block counts all values in its own shared memory first.
__global__ void count_block(const int* values, unsigned* bins, int n,
                            int size)
{
    extern __shared__ unsigned counted[];  // size counters
    int stride = gridDim.x * blockDim.x;

    for (int bin = threadIdx.x; bin < size; bin += blockDim.x)
        counted[bin] = 0;
    __syncthreads();  // barrier 1: all counters are 0
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&counted[values[i]], 1u);
    __syncthreads();  // barrier 2: all values are counted
    for (int bin = threadIdx.x; bin < size; bin += blockDim.x)
        if (counted[bin] > 0)
            atomicAdd(&bins[bin], counted[bin]);
}
