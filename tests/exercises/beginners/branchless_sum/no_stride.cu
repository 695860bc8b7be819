%%cuda branchless_sum
// Each thread adds up and counts those of its values that are below limit.
__global__ void branchless_sum(const float* values, float limit, float* sums, int* counts, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;      // number of this thread, through all blocks
    int stride = gridDim.x * blockDim.x;                    // how many threads there are
    float sum = 0.0f;
    int count = 0;

    // Go through this thread's values, with no if in the loop.
    for (int i = first; i < n; i++) {
        sum += (values[i] < limit) * values[i];
        count += values[i] < limit;
    }

    // Store what came of it.
    sums[first] = sum;
    counts[first] = count;
}
