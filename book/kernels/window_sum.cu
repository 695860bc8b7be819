// finds: nothing
// launch: grid=1, block=64, args=[ramp(60), empty(60), 60]

// The sum of up to four elements: its own and the three before it.
__global__ void window_sum(const float* in, float* out, int n)
{
    __shared__ float tile[64];
    int t = threadIdx.x;

    if (t < n)        // load what there is
        tile[t] = in[t];
    __syncthreads();  // the three before it were loaded by other threads
    float sum = 0.0f;
    if (t < n)        // read only what was loaded
        for (int k = max(0, t - 3); k <= t; ++k)
            sum += tile[k];
    if (t < n)        // store only what has a place
        out[t] = sum;
}
