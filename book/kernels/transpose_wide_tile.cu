// finds: nothing; without barrier 1: Race
// launch: grid=1, block=(32, 32), args=[ramp(32, 32), empty(32, 32)]

// The same with one unused element at the end of each row of the tile.
__global__ void transpose_wide_tile(const float* in, float* out)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x;
    int y = threadIdx.y;

    tile[y][x] = in[y * 32 + x];  // fill: a row of the tile
    __syncthreads();  // barrier 1: the tile is whole
    float value = tile[x][y];     // turn: a column of the tile
    out[y * 32 + x] = value;      // store: a row again
}
