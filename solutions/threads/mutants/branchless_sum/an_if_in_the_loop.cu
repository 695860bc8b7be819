// rejected by: does_without_if_in_a_loop
// "An if says what I mean." It does, and the compiler makes the same of it here; the exercise is about the other ways.
// Each thread adds up and counts those of its values that are below limit.
__global__ void branchless_sum(const float* values, float limit, float* sums, int* counts, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    float sum = 0.0f;
    int count = 0;

    for (int i = first; i < n; i += stride) {
        float value = values[i];
        if (value < limit) {
            sum += value;
            ++count;
        }
    }
    sums[first] = sum;
    counts[first] = count;
}
