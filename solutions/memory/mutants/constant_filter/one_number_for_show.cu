// rejected by: uses_constant_memory
// One number in constant memory, which changes nothing.
__constant__ float nothing[1] = {0.0f};

// out[i] = the sum of weights[k] * in[i + k - 2] for k = 0 to 4; what lies outside in counts as 0.
__global__ void constant_filter(const float* in, float* out, int n)
{
    const float weights[5] = {-0.125f, 0.25f, 1.0f, 0.5f, -0.25f};
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float sum = nothing[0];
        for (int k = 0; k < 5; ++k) {
            int j = i + k - 2;
            if (j >= 0 && j < n)
                sum += weights[k] * in[j];
        }
        out[i] = sum;
    }
}
