// rejected by: shared_loads_at_most
// perhaps also: uses_shared_stores
// "What only I need, I compute myself." Three threads compute each element of the first blur.
// Blur in twice, and store the result in out; both blurs copy the two ends of the row.
__global__ void blur_twice_fused(const float* in, float* out, int n)
{
    extern __shared__ float row[];              // blockDim.x + 4 elements: row[j] is number first - 2 + j
    float* once = row + blockDim.x + 4;         // blockDim.x + 2 elements: once[j] is number first - 1 + j, blurred once
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;

    // 1. Load row, where there are such numbers.
    for (int j = t; j < blockDim.x + 4; j += blockDim.x) {
        int i = first - 2 + j;
        if (i >= 0 && i < n)
            row[j] = in[i];
    }
    __syncthreads();

    // 2. Compute once, where there are such numbers.
    auto one = [&](int i) {
        const float* p = row + (i - first) + 2;
        return i == 0 || i == n - 1 ? p[0] : 0.25f * (p[-1] + 2 * p[0] + p[1]);
    };

    // 3. Compute this thread's element of out, if it has one.
    int i = first + t;
    if (i == 0 || i == n - 1)
        out[i] = one(i);
    else if (i < n)
        out[i] = 0.25f * (one(i - 1) + 2 * one(i) + one(i + 1));
}
