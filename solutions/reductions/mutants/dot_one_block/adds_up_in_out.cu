// rejected by: has_no_races
// perhaps also: matches_numpy, loads_at_most
// "Every thread adds its product to out[0]."
// out[0] = the sum of all x[i] * y[i]. One block, n <= blockDim.x, and blockDim.x is a power of 2.
__global__ void dot_one_block(const float* x, const float* y, float* out, int n)
{
    int t = threadIdx.x;

    if (t == 0)
        out[0] = 0.0f;
    __syncthreads();
    if (t < n)
        out[0] += x[t] * y[t];
}
