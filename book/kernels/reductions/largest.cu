// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: for block in (128, 16): grid=1, block=block, args=[ramp(block), empty(1), block], shared_mem=4 * block

// The largest of each block's elements. blockDim.x is a power of 2.
__global__ void largest(const float* in, float* out, int n)
{
    extern __shared__ float best[];  // one element for each thread
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;

    best[t] = i < n ? in[i] : -INFINITY;  // enter: or what never wins
    __syncthreads();  // barrier 1: all have entered
    for (int upper = blockDim.x / 2; upper > 0; upper /= 2) {
        if (t < upper)
            best[t] = fmaxf(best[t], best[t + upper]);
        __syncthreads();  // barrier 2: this round's winners are known
    }
    if (t == 0) out[blockIdx.x] = best[0];
}
