// kernel: transpose_tiles   grid: 1   block: 128
// args: in int32[4x32] arange, out int32[4x32] poison
// expect: nothing
// check: out == in_.reshape(4, 4, 8).transpose(0, 2, 1).reshape(4, 32)
__global__ void transpose_tiles(const int* in, int* out)
{
    __shared__ int s[4][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    s[warp][lane] = in[threadIdx.x];
    __syncwarp();  // no other warp touches this row
    out[threadIdx.x] = s[warp][lane % 4 * 8 + lane / 4];
}
