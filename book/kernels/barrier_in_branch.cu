// finds: BarrierDivergence
// launch: grid=1, block=128, args=[ramp(100), empty(128), 100]

// Rotates n elements by 32 places, and fills the rest of the 128 with zeros.
__global__ void rotate_and_pad(const float* in, float* out, int n)
{
    __shared__ float tile[128];
    int t = threadIdx.x;

    if (t < n) {
        tile[t] = in[t];
        __syncthreads();
        out[t] = tile[(t + 32) % n];
    } else {
        out[t] = 0.0f;
        __syncthreads();
    }
}
