// rejected by: does_without_atomics_lane_exchanges
// "An atomic makes one step of the three." It does, and all threads of the block take turns at it. The chapter on atomics is about that.
// out[b] = how many numbers of row b are above limit.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    extern __shared__ int counted[];        // blockDim.x elements, one for each thread
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * n;

    if (t == 0)
        counted[0] = 0;
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x) {
        if (row[i] > limit)
            atomicAdd(&counted[0], 1);
    }
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = counted[0];
}
