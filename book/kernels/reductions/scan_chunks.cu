// finds: nothing
// launch: grid=3, block=128, args=[ramp(300), empty(300), empty(3), 300]

// Running sums of each block's elements. blockDim.x: a multiple of 32.
__global__ void
scan_chunks(const float* in, float* out, float* totals, int n)
{
    __shared__ float of_warps[32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int i = t + blockDim.x * blockIdx.x;

    float mine = i < n ? in[i] : 0.0f;
    for (int back = 1; back < 32; back *= 2) {  // all lanes shuffle, some add
        float other = __shfl_up_sync(0xffffffff, mine, back);
        if (lane >= back) mine += other;
    }
    if (lane == 31) of_warps[warp] = mine;
    __syncthreads();  // the sum of each warp is there
    for (int w = 0; w < warp; ++w) mine += of_warps[w];
    if (i < n) out[i] = mine;
    if (t == blockDim.x - 1) totals[blockIdx.x] = mine;
}
