// Adds up in halves, from a counter for each thread that it keeps in a register first.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    extern __shared__ int counted[];
    int t = threadIdx.x, mine = 0;
    for (int i = t; i < n; i += blockDim.x)
        mine += in[blockIdx.x * n + i] > limit;
    counted[t] = mine;
    for (int here = blockDim.x; here > 1;) {
        int half = (here + 1) / 2;
        __syncthreads();
        if (t + half < here)
            counted[t] += counted[t + half];
        here = half;
    }
    if (t == 0)
        out[blockIdx.x] = counted[0];
}
