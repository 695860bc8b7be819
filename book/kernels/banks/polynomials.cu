// finds: nothing; without barrier 1: Race
// launch: grid=2, block=128, args=[numbers('float32', 256, 16), empty(256), 0.5, 16]

// Row t of `in` holds at most 16 coefficients of a polynomial, that of the highest
// power first; out[t] is its value at x.
__global__ void polynomials(const float* in, float* out, float x, int terms)
{
    __shared__ float rows[128 * 16];
    int t = threadIdx.x;

    for (int i = 0; i < 16; ++i) {
        int j = 128 * i + t;
        rows[j] = in[128 * 16 * blockIdx.x + j];  // fill: lanes side by side
    }
    __syncthreads();  // barrier 1: a row was loaded by other threads
    float value = 0.0f;
    #pragma unroll 1  // else several words are taken at once: "Wide accesses"
    for (int k = 0; k < terms; ++k)
        value = value * x + rows[16 * t + k];  // take: each lane from its own row
    out[128 * blockIdx.x + t] = value;
}
