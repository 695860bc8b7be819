// finds: nothing; without barrier 1: Race
// launch: grid=1, block=(32, 32), args=[ramp(32, 32), empty(32, 32)]

// Turns rows into columns inside shared memory, so that global memory sees rows only.
__global__ void transpose_tile(const float* in, float* out)
{
    __shared__ float tile[32][32];
    int x = threadIdx.x;
    int y = threadIdx.y;

    tile[y][x] = in[y * 32 + x];  // fill: a row of the tile
    __syncthreads();  // barrier 1: the tile is whole
    float value = tile[x][y];     // turn: a column of the tile
    out[y * 32 + x] = value;      // store: a row again
}
