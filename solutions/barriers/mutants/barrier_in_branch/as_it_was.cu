// rejected by: reaches_every_barrier
// perhaps also: matches_numpy, reads_only_what_was_written
// "It gives the right numbers on my GPU, so I changed nothing."
// out[b] = the largest of block b's numbers, without their signs. blockDim.x is a power of 2.
__global__ void largest_of_block(const int* in, int* out, int n)
{
    extern __shared__ int best[];       // blockDim.x elements
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (i >= n)
        return;

    if (in[i] < 0) {
        best[t] = -in[i];
        __syncthreads();
    } else {
        best[t] = in[i];
        __syncthreads();
    }

    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) {
            best[t] = max(best[t], best[t + half]);
            __syncthreads();
        }
    }

    // Thread 0 knows the result.
    if (t == 0)
        out[blockIdx.x] = best[0];
}
