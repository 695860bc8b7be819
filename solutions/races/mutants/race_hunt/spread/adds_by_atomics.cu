// rejected by: does_without_atomics
// "An atomic for each +=." No addition is lost, and every element has three writers still.
// Each number gives itself to its neighbors' places in out, and twice to its own. out is 0 at the start.
__global__ void spread(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&out[i], 2 * in[i]);
        if (i > 0)
            atomicAdd(&out[i - 1], in[i]);
        if (i + 1 < n)
            atomicAdd(&out[i + 1], in[i]);
    }
}
