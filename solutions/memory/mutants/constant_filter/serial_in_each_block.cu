// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// The five weights, in constant memory.
__constant__ float weights[5] = {-0.125f, 0.25f, 1.0f, 0.5f, -0.25f};

__global__ void constant_filter(const float* in, float* out, int n)
{
    if (threadIdx.x > 0)
        return;
    for (int i = blockIdx.x * blockDim.x; i < (blockIdx.x + 1) * blockDim.x && i < n; ++i) {
        float sum = 0.0f;
        for (int k = 0; k < 5; ++k) {
            int j = i + k - 2;
            if (j >= 0 && j < n)
                sum += weights[k] * in[j];
        }
        out[i] = sum;
    }
}
