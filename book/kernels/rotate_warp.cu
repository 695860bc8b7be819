// finds: nothing; without barrier 1: Race
// launch: grid=1, block=32, args=[ramp(32), empty(32)]

// Rotates 32 elements by one place; the block is a single warp.
__global__ void rotate_warp(const float* in, float* out)
{
    __shared__ float tile[32];
    int lane = threadIdx.x;

    tile[lane] = in[lane];
    __syncwarp();  // barrier 1: for the lanes of this warp only
    out[lane] = tile[(lane + 1) % 32];
}
