// rejected by: reaches_every_barrier
// perhaps also: matches_numpy, reads_only_what_was_written
// "A thread with no number has nothing to do." The others wait for it.
// out[b] = the largest of block b's numbers, without their signs. blockDim.x is a power of 2.
__global__ void largest_of_block(const int* in, int* out, int n)
{
    extern __shared__ int best[];       // blockDim.x elements
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    // Each thread puts its number, without its sign, into best.
    if (i >= n)
        return;
    int number = in[i];
    best[t] = number < 0 ? -number : number;
    __syncthreads();    // all numbers must be there before anyone compares

    // In each round, the first half of the threads at work keep the larger of two numbers.
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) {
            int other = best[t + half];
            if (other > best[t])
                best[t] = other;
        }
        __syncthreads();    // the next round reads what this round wrote; idle threads wait along
    }

    // Thread 0 knows the result.
    if (t == 0)
        out[blockIdx.x] = best[0];
}
