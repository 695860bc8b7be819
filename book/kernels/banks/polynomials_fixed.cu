// finds: nothing; without barrier 1: Race
// launch: grid=2, block=128, args=[numbers('float32', 256, 16), empty(256), 0.5]

// The same, and the compiler knows the number of coefficients.
__global__ void polynomials_fixed(const float* in, float* out, float x)
{
    __shared__ float rows[128 * 16];
    int t = threadIdx.x;

    for (int i = 0; i < 16; ++i) {
        int j = 128 * i + t;
        rows[j] = in[128 * 16 * blockIdx.x + j];  // fill: lanes side by side
    }
    __syncthreads();  // barrier 1: a row was loaded by other threads
    float value = 0.0f;
    for (int k = 0; k < 16; ++k)
        value = value * x + rows[16 * t + k];     // take: each lane from a row of its own
    out[128 * blockIdx.x + t] = value;
}
