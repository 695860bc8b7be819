// rejected by: has_no_races
// perhaps also: matches_numpy
// "One line after the other, with a barrier between." The next block is not asked.
// Each number gives itself to its neighbors' places in out, and twice to its own. out is 0 at the start.
__global__ void spread(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += 2 * in[i];
    __syncthreads();
    if (i > 0 && i < n)
        out[i - 1] += in[i];
    __syncthreads();
    if (i + 1 < n)
        out[i + 1] += in[i];
}
