// rejected by: uses_shared_memory
// Each number is multiplied by a known power of two from the array, and divided by it.
__global__ void reverse_dynamic(double* d, int w)
{
    extern __shared__ double kept[];
    int t = threadIdx.x, start = blockIdx.x * w;
    double mine[128];
    int k = 0;
    for (int c = t; c < w; c += blockDim.x) { kept[c] = 1 << (c % 20); mine[k++] = d[start + w - 1 - c]; }
    __syncthreads();
    k = 0;
    for (int c = t; c < w; c += blockDim.x) d[start + c] = mine[k++] * kept[c] / (1 << (c % 20));
}
