// Two sums in an array of the thread's own; the comparison says which of them grows.
__global__ void branchless_sum(const float* values, float limit, float* sums, int* counts, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    float sum[2] = {};
    int count = 0;
    for (int i = first; i < n; i += stride) {
        float value = values[i];
        sum[value < limit] += value;
        count += value < limit;
    }
    sums[first] = sum[1];
    counts[first] = count;
}
