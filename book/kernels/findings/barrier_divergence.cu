// finds: BarrierDivergence
// launch: grid=1, block=64, args=[ramp(50), empty(64), 50]

// Mirrors n elements.
__global__ void mirror(const float* in, float* out, int n)
{
    __shared__ float tile[64];
    int t = threadIdx.x;

    if (t < n) {
        tile[t] = in[t];
        __syncthreads();  // only for some
        out[t] = tile[n - 1 - t];
    } else {
        out[t] = 0.0f;
        __syncthreads();
    }
}
