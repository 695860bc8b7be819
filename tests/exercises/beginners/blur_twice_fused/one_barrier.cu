%%cuda blur_twice_fused
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
        if (i >= 0 && i < n) row[j] = in[i];
    }
    __syncthreads();

    // 2. Compute once, where there are such numbers.
    for (int j = t; j < blockDim.x + 2; j += blockDim.x) {
        int i = first - 1 + j;
        if (i == 0 || i == n - 1) once[j] = row[j + 1];
        else if (i > 0 && i < n) once[j] = 0.25f * (row[j] + 2 * row[j + 1] + row[j + 2]);
    }

    // 3. Compute this thread's element of out, if it has one.
    int i = first + t;
    if (i == 0 || i == n - 1) out[i] = once[t + 1];
    else if (i < n) out[i] = 0.25f * (once[t] + 2 * once[t + 1] + once[t + 2]);
}
