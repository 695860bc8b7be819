// rejected by: stays_in_bounds
// perhaps also: matches_numpy
// "i < n was asked already." i + 2 < n was not.
// The five weights, in constant memory.
__constant__ float weights[5] = {-0.125f, 0.25f, 1.0f, 0.5f, -0.25f};

// out[i] = the sum of weights[k] * in[i + k - 2] for k = 0 to 4; what lies outside in counts as 0.
__global__ void constant_filter(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Add up the five products, and store the sum.
    if (i < n) {
        float sum = 0.0f;
        for (int k = 0; k < 5; ++k) {
            int j = i + k - 2;
            if (j >= 0)
                sum += weights[k] * in[j];
        }
        out[i] = sum;
    }
}
