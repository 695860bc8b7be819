// finds: MisalignedAccess
// launch: grid=2, block=128, args=[numbers('float32', 256, 16), empty(256), 0.5]

// Rows of 17 words, read four words at a time.
__global__ void polynomials_wide_misaligned(const float* in, float* out, float x)
{
    __shared__ float rows[128 * 17];
    int t = threadIdx.x;

    for (int i = 0; i < 16; ++i) {
        int j = 128 * i + t;
        rows[j / 16 * 17 + j % 16] = in[128 * 16 * blockIdx.x + j];
    }
    __syncthreads();
    float value = 0.0f;
    for (int k = 0; k < 4; ++k) {
        float4 c = *(const float4*)&rows[17 * t + 4 * k];
        value = (((value * x + c.x) * x + c.y) * x + c.z) * x + c.w;
    }
    out[128 * blockIdx.x + t] = value;
}
