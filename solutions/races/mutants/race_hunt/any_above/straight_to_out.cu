// rejected by: has_no_races
// perhaps also: matches_numpy
// "Without the shared variable there is no race on it." There is one on out.
// out[b] = 1 if any of block b's numbers is above limit, else 0.
__global__ void any_above(const int* in, int* out, int n, int limit)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (t == 0)
        out[blockIdx.x] = 0;
    if (i < n && in[i] > limit)
        out[blockIdx.x] = 1;
}
