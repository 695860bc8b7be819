// finds: nothing
// launch: grid=1, block=32, args=[empty(32), 2, 32]

// A warp reads 1024 words again and again, one a lane at a time.
__global__ void reads_float(float* out, int rounds, int step)
{
    __shared__ float tile[2048];
    int lane = threadIdx.x, from = 0;
    float sum = 0.0f;

    for (int j = lane; j < 2048; j += 32)
        tile[j] = j % 8;
    __syncwarp();
    for (int r = 0; r < rounds; ++r) {
        #pragma unroll
        for (int k = 0; k < 32; ++k)
            sum += tile[from + 32 * k + lane];  // take
        from = (from + step) & 1023;  // elsewhere next, so that no value can be kept
    }
    out[lane + 32 * blockIdx.x] = sum;
}
