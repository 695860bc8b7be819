// rejected by: uses_constant_memory
// The weights that count stand in the text. Those of constant memory are added and taken away again.
__constant__ float weights[5] = {-0.125f, 0.25f, 1.0f, 0.5f, -0.25f};
__global__ void constant_filter(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float lit[5] = {-0.125f, 0.25f, 1.0f, 0.5f, -0.25f};
        float sum = 0.0f;
        for (int k = 0; k < 5; ++k) {
            int j = i + k - 2;
            if (j >= 0 && j < n) sum += lit[k] * in[j] + (k + 1) * weights[k] - (k + 1) * lit[k];
        }
        out[i] = sum;
    }
}
