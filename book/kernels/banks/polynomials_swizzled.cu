// finds: nothing; without barrier 1: Race
// launch: grid=2, block=128, args=[numbers('float32', 256, 16), empty(256), 0.5, 16]

// Where coefficient k of row r stands: each pair of rows has an order of its own.
__device__ int place(int r, int k) { return 16 * r + (k ^ (r / 2 % 16)); }

__global__ void polynomials_swizzled(const float* in, float* out, float x, int terms)
{
    __shared__ float rows[128 * 16];
    int t = threadIdx.x;

    for (int i = 0; i < 16; ++i) {
        int j = 128 * i + t;
        rows[place(j / 16, j % 16)] = in[128 * 16 * blockIdx.x + j];  // fill
    }
    __syncthreads();  // barrier 1: a row was loaded by other threads
    float value = 0.0f;
    #pragma unroll 1
    for (int k = 0; k < terms; ++k)
        value = value * x + rows[place(t, k)];  // take
    out[128 * blockIdx.x + t] = value;
}
