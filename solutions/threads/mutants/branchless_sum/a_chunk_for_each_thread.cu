// rejected by: is_coalesced
// perhaps also: matches_numpy, shares_the_work
// "Each thread takes a piece in one go." Neighboring threads then read far apart.
// Each thread adds up and counts those of its values that are below limit.
__global__ void branchless_sum(const float* values, float limit, float* sums, int* counts, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;      // number of this thread, through all blocks
    int stride = gridDim.x * blockDim.x;                    // how many threads there are
    float sum = 0.0f;
    int count = 0;

    // Go through this thread's values, with no if in the loop.
    int chunk = (n + stride - 1) / stride;
    for (int i = first * chunk; i < min(n, (first + 1) * chunk); ++i) {
        float value = values[i];
        sum += value < limit ? value : 0.0f;
        count += value < limit;
    }

    // Store what came of it.
    sums[first] = sum;
    counts[first] = count;
}
