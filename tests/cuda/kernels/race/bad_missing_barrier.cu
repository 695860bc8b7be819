// kernel: reverse_pairs   grid: 2   block: 64
// args: in float32[128] random, out float32[128] poison
// expect: Race lines=1,2 array=tile hazard=read-after-write scope=block same_value=False count=64
__global__ void reverse_pairs(const float* in, float* out)
{
    __shared__ float tile[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    tile[t] = in[i];                              // (1)
    // Missing: a barrier between writing the tile and reading another thread's element.
    out[i] = tile[(t + 32) % 64];                 // (2)
}
