// finds: nothing
// launch: grid=1, block=64, args=[ramp(60), empty(60), 60]

// The sum of up to four elements: its own and the three before it.
__global__ void window_sum(const float* in, float* out, int n)
{
    __shared__ float tile[64];
    int t = threadIdx.x;

    if (t < n)
        tile[t] = in[t];
    __syncthreads();  // the three before it were loaded by other threads
    if (t < n) {
        float sum = 0.0f;
        for (int k = max(0, t - 3); k <= t; ++k)
            sum += tile[k];
        out[t] = sum;
    }
}
