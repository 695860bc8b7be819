// rejected by: uses_constant_memory
// "Constant memory is used, too." Only by one weight; the others stand in the text.
__constant__ float middle = 1.0f;

// out[i] = the sum of weights[k] * in[i + k - 2] for k = 0 to 4; what lies outside in counts as 0.
__global__ void constant_filter(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = middle * in[i];
    if (i >= 2)
        sum -= 0.125f * in[i - 2];
    if (i >= 1)
        sum += 0.25f * in[i - 1];
    if (i + 1 < n)
        sum += 0.5f * in[i + 1];
    if (i + 2 < n)
        sum -= 0.25f * in[i + 2];
    out[i] = sum;
}
