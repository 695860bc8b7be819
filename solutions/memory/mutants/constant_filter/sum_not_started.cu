// rejected by: matches_numpy
// perhaps also: loads_at_most
// "New memory starts at 0, so I can add to out[i] at once."
// The five weights, in constant memory.
__constant__ float weights[5] = {-0.125f, 0.25f, 1.0f, 0.5f, -0.25f};

// out[i] = the sum of weights[k] * in[i + k - 2] for k = 0 to 4; what lies outside in counts as 0.
__global__ void constant_filter(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Add up the five products, and store the sum.
    if (i < n) {
        for (int k = 0; k < 5; ++k) {
            int j = i + k - 2;
            if (j >= 0 && j < n)
                out[i] += weights[k] * in[j];
        }
    }
}
