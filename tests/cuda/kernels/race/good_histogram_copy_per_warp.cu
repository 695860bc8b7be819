// kernel: histogram   grid: 2   block: 128
// args: in uint8[1024] random, hist int32[64] zeros, n int32 1024
// expect: nothing
// check: hist == np.bincount(in_, minlength=64)
__global__ void histogram(const unsigned char* in, int* hist, int n)
{
    __shared__ int part[4][64];
    int t = threadIdx.x, warp = t / 32;
    for (int b = t % 32; b < 64; b += 32) part[warp][b] = 0;
    __syncwarp();  // a warp's copy is its own until the end
    for (int i = blockIdx.x * 128 + t; i < n; i += 256) atomicAdd_block(&part[warp][in[i]], 1);
    __syncthreads();
    if (t < 64) atomicAdd(&hist[t], part[0][t] + part[1][t] + part[2][t] + part[3][t]);
}
