// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: for block in (128, 16): grid=1, block=block, args=[ramp(block), empty(1), block], shared_mem=4 * block

// The largest of each block's elements, neighbors first. blockDim.x is a power of 2.
__global__ void largest_neighbors(const float* in, float* out, int n)
{
    extern __shared__ float best[];
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;

    best[t] = i < n ? in[i] : -INFINITY;
    __syncthreads();  // barrier 1: all have entered
    for (int apart = 1; apart < blockDim.x; apart *= 2) {
        if (t % (2 * apart) == 0)
            best[t] = fmaxf(best[t], best[t + apart]);
        __syncthreads();  // barrier 2: this round's winners are known
    }
    if (t == 0) out[blockIdx.x] = best[0];
}
