// rejected by: uses_constant_memory
// "Nobody changes the weights, so they are const." Then NVIDIA's compiler writes them into the code, and no constant memory is read.
// The five weights, in constant memory.
__constant__ const float weights[5] = {-0.125f, 0.25f, 1.0f, 0.5f, -0.25f};

// out[i] = the sum of weights[k] * in[i + k - 2] for k = 0 to 4; what lies outside in counts as 0.
__global__ void constant_filter(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Add up the five products, and store the sum.
    if (i >= n)
        return;                                     // no element of out for this thread
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        const int j = i + k - 2;                    // the partner of weight k
        if (j >= 0 && j < n)
            sum += weights[k] * in[j];
    }
    out[i] = sum;
}
