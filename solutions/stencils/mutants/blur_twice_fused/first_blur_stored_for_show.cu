// rejected by: uses_shared_stores
// Each thread makes three blurs anew from row. It stores the one in the middle, as the task says, but nobody reads it.
// Blur in twice, and store the result in out; both blurs copy the two ends of the row.
__global__ void blur_twice_fused(const float* in, float* out, int n)
{
    extern __shared__ float row[];              // blockDim.x + 4 elements: row[j] is number first - 2 + j
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;

    // 1. Load row, where the numbers exist.
    for (int j = t; j < blockDim.x + 4; j += blockDim.x) {
        int from = first - 2 + j;
        if (from >= 0 && from < n)
            row[j] = in[from];
    }
    __syncthreads();    // the first blur reads numbers that other threads loaded

    // 2. The first blurs of this thread's number and of its neighbors.
    float v[5], blur[3];
    for (int j = 0; j < 5; ++j) {
        int of = first + t - 2 + j;
        v[j] = first + t < n && of >= 0 && of < n ? row[t + j] : 0.0f;
    }
    for (int j = 0; j < 3; ++j) {
        int of = first + t - 1 + j;
        blur[j] = of <= 0 || of >= n - 1 ? v[j + 1] : 0.25f * (v[j] + 2 * v[j + 1] + v[j + 2]);
    }

    row[blockDim.x + 4 + t] = blur[1];
    if (t < 2)
        row[2 * blockDim.x + 4 + t] = blur[t];

    // 3. Compute this thread's element of out, if it has one.
    int i = first + t;
    if (i == 0 || i == n - 1)
        out[i] = blur[1];
    else if (i < n)
        out[i] = 0.25f * (blur[0] + 2 * blur[1] + blur[2]);
}
