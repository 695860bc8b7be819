// rejected by: has_no_races
// perhaps also: matches_numpy
// "A fence makes the new total known." The others have read the old one by then.
// out[b] = how many numbers of row b are above limit.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    __shared__ int total;
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * n;

    if (t == 0)
        total = 0;
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x)
        if (row[i] > limit) {
            total = total + 1;
            __threadfence_block();
        }
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = total;
}
