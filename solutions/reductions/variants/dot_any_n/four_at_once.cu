// Loads four numbers at once.
__global__ void dot_any_n(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];
    int t = threadIdx.x;
    int first = blockIdx.x * 8 * blockDim.x;
    float sum = 0.0f;
    for (int k = 0; k < 2; ++k) {
        int i = first + 4 * (k * blockDim.x + t);
        if (i + 3 < n) {
            float4 u = *(const float4*)(x + i), v = *(const float4*)(y + i);
            sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
        } else
            for (int j = i; j < n && j < i + 4; ++j)
                sum += x[j] * y[j];
    }
    sums[t] = sum;
    __syncthreads();
    for (int working = blockDim.x / 2; working > 0; working /= 2) {
        if (t < working)
            sums[t] += sums[t + working];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
