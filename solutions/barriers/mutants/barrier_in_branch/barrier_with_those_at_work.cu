// rejected by: reaches_every_barrier
// perhaps also: matches_numpy
// "Only the threads that are still at work need to wait."
// out[b] = the largest of block b's numbers, without their signs. blockDim.x is a power of 2.
__global__ void largest_of_block(const int* in, int* out, int n)
{
    extern __shared__ int best[];       // blockDim.x elements
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    // Each thread puts its number, without its sign, into best.
    int number = i < n ? in[i] : 0;     // a 0 is never larger than a number without its sign
    best[t] = number < 0 ? -number : number;
    __syncthreads();    // all numbers must be there before anyone compares

    // In each round, the first half of the threads at work keep the larger of two numbers.
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) {
            int other = best[t + half];
            if (other > best[t])
                best[t] = other;
            __syncthreads();
        }
    }

    // Thread 0 knows the result.
    if (t == 0)
        out[blockIdx.x] = best[0];
}
