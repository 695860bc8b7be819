// finds: nothing
// launch: for counters in (1, 32): grid=2, block=64, args=[zeros('int32', 256), counters, 1, 4]

// The same with up to 1024 counters for each block, which are added to
// the global ones at the end.
__global__ void add_to_some_shared(int* counts, int counters, int amount,
                                   int rounds)
{
    __shared__ int own[1024];
    int t = threadIdx.x;

    for (int c = t; c < counters; c += blockDim.x) own[c] = 0;
    __syncthreads();  // all are 0 before the first thread adds
    for (int round = 0; round < rounds; ++round)
        atomicAdd(&own[(t + round) & (counters - 1)], amount);
    __syncthreads();  // all threads have added
    for (int c = t; c < counters; c += blockDim.x)
        atomicAdd(&counts[c], own[c]);
}
