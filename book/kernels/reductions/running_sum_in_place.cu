// finds: Race
// launch: for block in (128, 8): grid=1, block=block, args=[ramp(block), empty(block)], shared_mem=4 * block

// The same in one row: wrong.
__global__ void running_sum(const float* in, float* out)
{
    extern __shared__ float row[];
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;

    row[t] = in[i];
    __syncthreads();  // the row is complete
    for (int back = 1; back < blockDim.x; back *= 2) {
        if (t >= back)
            row[t] += row[t - back];
        __syncthreads();  // the sums of this round are complete
    }
    out[i] = row[t];
}
