// rejected by: has_no_races
// perhaps also: matches_numpy
// "The barriers are right, so the sums are." The barriers keep steps of the kernel apart, not threads within a step.
// out[b] = how many numbers of row b are above limit.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    __shared__ int total;
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * n;

    if (t == 0)
        total = 0;
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x) {
        if (row[i] > limit)
            total = total + 1;
    }
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = total;
}
