// finds: nothing
// launch: grid=1, block=32, args=[ramp(32, 32), empty(32, 32)]

// Transposes 32 rows of 32 elements.
__global__ void transpose(const float* in, float* out)
{
    __shared__ float tile[32][32];
    int t = threadIdx.x;

    for (int row = 0; row < 32; ++row) tile[row][t] = in[32 * row + t];
    __syncwarp();  // the tile is filled; the block is one warp
    for (int row = 0; row < 32; ++row)
        out[32 * row + t] = tile[t][row];  // column: a row apart
}
