// finds: nothing
// launch: grid=2, block=128, args=[ramp(1000), empty(2), 1000], shared_mem=512

// One candidate from each block, for any n. blockDim.x is a power of 2.
__global__ void largest_any_n(const float* in, float* out, int n)
{
    extern __shared__ float best[];
    int t = threadIdx.x, threads = blockDim.x * gridDim.x;
    float mine = -INFINITY;

    // First each thread alone, in a register.
    for (int i = t + blockDim.x * blockIdx.x; i < n; i += threads)
        mine = fmaxf(mine, in[i]);

    // Then the block, once.
    best[t] = mine;
    __syncthreads();  // all have entered
    for (int upper = blockDim.x / 2; upper > 0; upper /= 2) {
        if (t < upper)
            best[t] = fmaxf(best[t], best[t + upper]);
        __syncthreads();  // all winners of this round are known
    }
    if (t == 0) out[blockIdx.x] = best[0];
}
