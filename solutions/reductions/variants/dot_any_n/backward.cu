// Goes through its chunk from the end, and gathers the sum in the last thread.
__global__ void dot_any_n(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];
    int t = threadIdx.x;
    int first = blockIdx.x * 8 * blockDim.x;
    int end = min(n, first + 8 * (int)blockDim.x);
    float sum = 0.0f;
    for (int i = end - 1 - t; i >= first; i -= blockDim.x)
        sum += x[i] * y[i];
    sums[t] = sum;
    __syncthreads();
    for (int working = blockDim.x / 2; working > 0; working /= 2) {
        if (t >= blockDim.x - working)
            sums[t] += sums[t - working];
        __syncthreads();
    }
    if (t == blockDim.x - 1)
        out[blockIdx.x] = sums[t];
}
