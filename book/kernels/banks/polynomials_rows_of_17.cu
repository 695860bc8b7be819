// finds: nothing; without barrier 1: Race
// launch: grid=2, block=128, args=[numbers('float32', 256, 16), empty(256), 0.5, 16]

// The same with one unused word at the end of each row.
__global__ void polynomials_rows_of_17(const float* in, float* out, float x, int terms)
{
    __shared__ float rows[128 * 17];
    int t = threadIdx.x;

    for (int i = 0; i < 16; ++i) {
        int j = 128 * i + t;
        rows[j / 16 * 17 + j % 16] = in[128 * 16 * blockIdx.x + j];  // fill: two rows at a time
    }
    __syncthreads();  // barrier 1: a row was loaded by other threads
    float value = 0.0f;
    #pragma unroll 1
    for (int k = 0; k < terms; ++k)
        value = value * x + rows[17 * t + k];  // take
    out[128 * blockIdx.x + t] = value;
}
