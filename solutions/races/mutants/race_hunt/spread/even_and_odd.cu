// rejected by: has_no_races
// perhaps also: matches_numpy
// "If the even ones give first and the odd ones later, they do not meet." They do, two places apart, and between blocks.
// Each number gives itself to its neighbors' places in out, and twice to its own. out is 0 at the start.
__global__ void spread(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int turn = 0; turn < 2; ++turn) {
        if (i < n && i % 2 == turn) {
            out[i] += 2 * in[i];
            if (i > 0)
                out[i - 1] += in[i];
            if (i + 1 < n)
                out[i + 1] += in[i];
        }
        __syncthreads();
    }
}
