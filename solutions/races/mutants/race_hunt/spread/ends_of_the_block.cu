// rejected by: matches_numpy
// "A block's first thread has no left neighbor." Its number has.
// Each number gives itself to its neighbors' places in out, and twice to its own. out is 0 at the start.
__global__ void spread(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int left = threadIdx.x > 0 ? in[i - 1] : 0;
        int right = i + 1 < n ? in[i + 1] : 0;
        out[i] = left + 2 * in[i] + right;      // out[i] belongs to thread i, and in is only read
    }
}
