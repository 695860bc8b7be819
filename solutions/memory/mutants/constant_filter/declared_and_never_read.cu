// rejected by: uses_constant_memory
// The array stands where it should, and the kernel reads a copy of each thread's own.
__constant__ float in_constant_memory[5] = {-0.125f, 0.25f, 1.0f, 0.5f, -0.25f};

// out[i] = the sum of weights[k] * in[i + k - 2] for k = 0 to 4; what lies outside in counts as 0.
__global__ void constant_filter(const float* in, float* out, int n)
{
    float weights[5] = {-0.125f, 0.25f, 1.0f, 0.5f, -0.25f};
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float sum = 0.0f;
        for (int k = 0; k < 5; ++k) {
            int j = i + k - 2;
            if (j >= 0 && j < n)
                sum += weights[k] * in[j];
        }
        out[i] = sum;
    }
}
