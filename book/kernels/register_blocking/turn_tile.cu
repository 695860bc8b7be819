// finds: nothing
// launch: for row in (128, 132): grid=1, block=256, args=[ramp(128, 8), empty(8, 128), row], shared_mem=8*row*4

// Stores a tile of 128 x 8 by its columns, `row` words each, and writes it out so.
__global__ void turn_tile(const float4* in, float* out, int row)
{
    extern __shared__ float tile[];  // 8 x row
    int t = threadIdx.x, y = t / 2, x = t % 2 * 4;  // two threads for a row of 8
    float4 v = in[t];
    tile[x * row + y] = v.x;  // turn
    tile[(x + 1) * row + y] = v.y;
    tile[(x + 2) * row + y] = v.z;
    tile[(x + 3) * row + y] = v.w;
    __syncthreads();  // the tile is whole
    for (int e = t; e < 8 * 128; e += 256) out[e] = tile[e / 128 * row + e % 128];
}
