// finds: nothing
// launch: grid=1, block=1024, args=[numbers("int32", 1000), 1000]

// L2's prefix sum, in place, for n up to 1024: one block of 1024 threads.
__global__ void prefix_sum(int* x, int n)
{
    __shared__ int of_warps[32];
    int i = threadIdx.x, lane = i % 32, warp = i / 32;

    int sum = i < n ? x[i] : 0;
    for (int back = 1; back < 32; back *= 2) {
        int other = __shfl_up_sync(~0u, sum, back);
        if (lane >= back) sum += other;
    }
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();  // the sum of each warp is there
    for (int w = 0; w < warp; ++w) sum += of_warps[w];
    if (i < n) x[i] = sum;
}
