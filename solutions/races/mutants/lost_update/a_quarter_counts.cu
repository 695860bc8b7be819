// rejected by: shares_the_work
// A quarter of the threads counts all numbers.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    extern __shared__ int counted[];
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * n;

    int c = 0, T = (blockDim.x + 3) / 4;
    if (t < T) for (int i = t; i < n; i += T) if (row[i] > limit) ++c;
    counted[t] = c;
    __syncthreads();
    if (t == 0) { int s = 0; for (int k = 0; k < blockDim.x; ++k) s += counted[k]; out[blockIdx.x] = s; }
}
