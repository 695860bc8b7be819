// finds: nothing
// launch: grid=1, block=32, args=[empty(32), 2, 32]

// A warp reads 1024 words again and again, four a lane at a time.
__global__ void reads_float4(float* out, int rounds, int step)
{
    __shared__ float4 tile[512];
    int lane = threadIdx.x, from = 0;
    float sum = 0.0f;

    for (int j = lane; j < 512; j += 32)
        tile[j] = make_float4(j % 8, j % 8, j % 8, j % 8);
    __syncwarp();
    for (int r = 0; r < rounds; ++r) {
        #pragma unroll
        for (int k = 0; k < 8; ++k) {
            float4 four = tile[from + 32 * k + lane];  // take
            sum += four.x + four.y + four.z + four.w;
        }
        from = (from + step) & 255;  // elsewhere next, so that no value can be kept
    }
    out[lane + 32 * blockIdx.x] = sum;
}
