%%cuda spread
// Each number gives itself to its neighbors' places in out, and twice to its own. out is 0 at the start.
__global__ void spread(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] += 2 * in[i];
        if (i > 0) out[i - 1] += in[i];
        if (i < n - 1) out[i + 1] += in[i];
    }
}
