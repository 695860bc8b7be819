// finds: nothing; without barrier 1: Race
// launch: grid=2, block=128, args=[numbers('float32', 256, 16), empty(256), 0.5]

// Where part k of row r stands; a row has four parts, of four coefficients each.
__device__ int place(int r, int k) { return 4 * r + (k ^ (r / 2 % 4)); }

__global__ void polynomials_wide_swizzled(const float4* in, float* out, float x)
{
    __shared__ float4 rows[128 * 4];
    int t = threadIdx.x;

    for (int i = 0; i < 4; ++i) {
        int j = 128 * i + t;
        rows[place(j / 4, j % 4)] = in[128 * 4 * blockIdx.x + j];  // fill
    }
    __syncthreads();  // barrier 1: a row was loaded by other threads
    float value = 0.0f;
    for (int k = 0; k < 4; ++k) {
        float4 c = rows[place(t, k)];  // take
        value = (((value * x + c.x) * x + c.y) * x + c.z) * x + c.w;
    }
    out[128 * blockIdx.x + t] = value;
}
