// rejected by: has_no_races
// perhaps also: matches_numpy
// "Count for yourself and add once at the end." Once for each thread is often enough to lose.
// out[b] = how many numbers of row b are above limit.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    __shared__ int total;
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * n;
    int mine = 0;

    if (t == 0)
        total = 0;
    for (int i = t; i < n; i += blockDim.x)
        if (row[i] > limit)
            mine = mine + 1;
    __syncthreads();
    total = total + mine;
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = total;
}
