// rejected by: stays_in_bounds
// perhaps also: matches_numpy
// "i < n was asked already." Not of i + 1.
// Each number gives itself to its neighbors' places in out, and twice to its own. out is 0 at the start.
__global__ void spread(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int left = i > 0 ? in[i - 1] : 0;
        int right = in[i + 1];
        out[i] = left + 2 * in[i] + right;      // out[i] belongs to thread i, and in is only read
    }
}
