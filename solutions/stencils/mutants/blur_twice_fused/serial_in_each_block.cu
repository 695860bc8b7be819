// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// Blur in twice, and store the result in out; both blurs copy the two ends of the row.
__global__ void blur_twice_fused(const float* in, float* out, int n)
{
    extern __shared__ float row[];              // blockDim.x + 4 elements: row[j] is number first - 2 + j
    float* once = row + blockDim.x + 4;         // blockDim.x + 2 elements: once[j] is number first - 1 + j, blurred once
    int first = blockIdx.x * blockDim.x;

    if (threadIdx.x > 0)
        return;
    for (int j = 0; j < blockDim.x + 4; ++j) {
        int from = first - 2 + j;
        if (from >= 0 && from < n)
            row[j] = in[from];
    }
    for (int j = 0; j < blockDim.x + 2; ++j) {
        int of = first - 1 + j;
        if (of == 0 || of == n - 1)
            once[j] = row[j + 1];
        else if (of > 0 && of < n)
            once[j] = 0.25f * (row[j] + 2 * row[j + 1] + row[j + 2]);
    }
    for (int t = 0; t < blockDim.x; ++t) {
        int i = first + t;
        if (i == 0 || i == n - 1)
            out[i] = once[t + 1];
        else if (i < n)
            out[i] = 0.25f * (once[t] + 2 * once[t + 1] + once[t + 2]);
    }
}
