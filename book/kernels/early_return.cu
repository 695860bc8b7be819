// finds: BarrierDivergence
// launch: grid=1, block=128, args=[ramp(100), empty(100), 100]

// Rotates n elements by 32 places, n <= 128.
__global__ void rotate_some(const float* in, float* out, int n)
{
    __shared__ float tile[128];
    int t = threadIdx.x;

    if (t >= n) return;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[(t + 32) % n];
}
