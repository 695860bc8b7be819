%%cuda constant_filter
// The five weights, in constant memory.
__constant__ float weights[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};

// out[i] = the sum of weights[k] * in[i + k - 2] for k = 0 to 4; what lies outside in counts as 0.
__global__ void constant_filter(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Add up the five products, and store the sum.
    float sum = 0;
    for (int k = 0; k < 5; k++)
        sum += weights[k] * in[i + k - 2];
    out[i] = sum;
}
