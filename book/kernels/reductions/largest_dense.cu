// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: for block in (128, 16): grid=1, block=block, args=[ramp(block), empty(1), block], shared_mem=4 * block

// As before, but the threads that play stand side by side. blockDim.x is a power of 2.
__global__ void largest_dense(const float* in, float* out, int n)
{
    extern __shared__ float best[];
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;

    best[t] = i < n ? in[i] : -INFINITY;
    __syncthreads();  // barrier 1: all have entered
    for (int apart = 1; apart < blockDim.x; apart *= 2) {
        int own = 2 * apart * t;
        if (own < blockDim.x)
            best[own] = fmaxf(best[own], best[own + apart]);  // play
        __syncthreads();  // barrier 2: this round's winners are known
    }
    if (t == 0) out[blockIdx.x] = best[0];
}
