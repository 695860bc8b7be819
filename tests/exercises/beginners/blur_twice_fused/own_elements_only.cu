%%cuda blur_twice_fused
// Blur in twice, and store the result in out; both blurs copy the two ends of the row.
__global__ void blur_twice_fused(const float* in, float* out, int n)
{
    extern __shared__ float row[];              // blockDim.x + 4 elements: row[j] is number first - 2 + j
    float* once = row + blockDim.x + 4;         // blockDim.x + 2 elements: once[j] is number first - 1 + j, blurred once
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;

    // 1. Load row, where there are such numbers.
    int i = first + t;
    if (i < n) row[t + 2] = in[i];
    __syncthreads();

    // 2. Compute once, where there are such numbers.
    if (i > 0 && i < n - 1) once[t + 1] = 0.25f * (row[t + 1] + 2 * row[t + 2] + row[t + 3]);
    else if (i < n) once[t + 1] = row[t + 2];
    __syncthreads();

    // 3. Compute this thread's element of out, if it has one.
    if (i > 0 && i < n - 1) out[i] = 0.25f * (once[t] + 2 * once[t + 1] + once[t + 2]);
    else if (i < n) out[i] = once[t + 1];
}
