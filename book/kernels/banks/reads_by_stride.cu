// finds: nothing
// launch: for stride in (1, 0, 2, 3, 4, 8, 16, 31, 32, 33): grid=1, block=32, args=[empty(32), stride, 1]

// Each lane reads one word again and again, `stride` words from that of the lane
// before. A block is one warp.
__global__ void reads_by_stride(float* out, int stride, int rounds)
{
    __shared__ float tile[1024];
    int lane = threadIdx.x;

    for (int j = lane; j < 1024; j += 32)
        tile[j] = j;
    __syncwarp();
    volatile float* mine = &tile[lane * stride];  // else it would be read once
    float sum = 0.0f;
    #pragma unroll 32
    for (int r = 0; r < rounds; ++r)
        sum += *mine;  // take
    out[lane + 32 * blockIdx.x] = sum;
}
