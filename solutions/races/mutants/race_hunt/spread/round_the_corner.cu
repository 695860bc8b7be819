// rejected by: matches_numpy
// "The first and the last are neighbors."
// Each number gives itself to its neighbors' places in out, and twice to its own. out is 0 at the start.
__global__ void spread(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int left = in[(i + n - 1) % n];
        int right = in[(i + 1) % n];
        out[i] = left + 2 * in[i] + right;      // out[i] belongs to thread i, and in is only read
    }
}
