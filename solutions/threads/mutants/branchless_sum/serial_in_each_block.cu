// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// Each thread adds up and counts those of its values that are below limit.
__global__ void branchless_sum(const float* values, float limit, float* sums, int* counts, int n)
{
    if (threadIdx.x > 0)
        return;
    int stride = gridDim.x * blockDim.x;
    for (int first = blockIdx.x * blockDim.x; first < (blockIdx.x + 1) * blockDim.x; ++first) {
        float sum = 0.0f;
        int count = 0;
        for (int i = first; i < n; i += stride) {
            float value = values[i];
            sum += value < limit ? value : 0.0f;
            count += value < limit;
        }
        sums[first] = sum;
        counts[first] = count;
    }
}
