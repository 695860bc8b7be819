// rejected by: stays_in_bounds
// perhaps also: matches_numpy
// "i - 1 is the left neighbor", also of the first.
// Each number gives itself to its neighbors' places in out, and twice to its own. out is 0 at the start.
__global__ void spread(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int left = in[i - 1];
        int right = i + 1 < n ? in[i + 1] : 0;
        out[i] = left + 2 * in[i] + right;      // out[i] belongs to thread i, and in is only read
    }
}
