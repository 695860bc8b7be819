// finds: nothing
// launch: grid=(2, 2), block=(32, 8), args=[ramp(33, 40), empty(40, 33), 33, 40]

constexpr int TILE = 32, ROWS = 8;  // a block of 32 x 8 threads moves a tile of 32 x 32

// out = in transposed; in is rows x cols, out is cols x rows.
__global__ void transpose_four(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];  // one word more, so that a column lies in 32 banks
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;

    #pragma unroll
    for (int i = y; i < TILE; i += ROWS)
        if (row + i < rows && col + x < cols) tile[i][x] = in[(size_t)(row + i) * cols + col + x];
    __syncthreads();  // the tile is whole: a thread now reads what others have written
    // The lanes of a warp go along a row of out, which is a column of the tile.
    #pragma unroll
    for (int i = y; i < TILE; i += ROWS)
        if (col + i < cols && row + x < rows) out[(size_t)(col + i) * rows + row + x] = tile[x][i];
}
