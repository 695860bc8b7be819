// finds: nothing
// launch: grid=(2, 2), block=(16, 16), args=[ramp(68, 100), empty(100, 68), 68, 100]

constexpr int TILE = 64, ROWS = 16;  // a block of 16 x 16 threads moves a tile of 64 x 64

// out = in transposed; in is rows x cols, out is cols x rows.
__global__ void transpose(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];  // one word more: two lanes share a bank at most, by rows and by columns
    int x = 4 * threadIdx.x, y = threadIdx.y;  // four elements in a row, of every sixteenth row
    // The next block takes the next tile down, so blocks that run together store long pieces of the same rows of out.
    int row = blockIdx.x * TILE, col = blockIdx.y * TILE;
    // Sixteen bytes at a time need whole groups of four, in both matrices. At an edge it goes element by element.
    bool whole = row + TILE <= rows && col + TILE <= cols && rows % 4 == 0 && cols % 4 == 0;

    if (whole) {
        float4 got[TILE / ROWS];  // all loads are under way before the first is waited for
        #pragma unroll
        for (int i = 0; i < TILE / ROWS; i++)
            got[i] = *(const float4*)&in[(size_t)(row + y + ROWS * i) * cols + col + x];
        #pragma unroll
        for (int i = 0; i < TILE / ROWS; i++) {
            float* to = &tile[y + ROWS * i][x];  // the word more leaves a row of the tile without the place for a float4
            to[0] = got[i].x;
            to[1] = got[i].y;
            to[2] = got[i].z;
            to[3] = got[i].w;
        }
    } else {
        for (int i = y; i < TILE && row + i < rows; i += ROWS)
            for (int k = x; k < x + 4 && col + k < cols; k++) tile[i][k] = in[(size_t)(row + i) * cols + col + k];
    }
    __syncthreads();  // the tile is whole: a thread now reads what others have written
    if (whole) {
        #pragma unroll
        for (int i = y; i < TILE; i += ROWS)
            *(float4*)&out[(size_t)(col + i) * rows + row + x] =
                make_float4(tile[x][i], tile[x + 1][i], tile[x + 2][i], tile[x + 3][i]);
    } else {
        for (int i = y; i < TILE && col + i < cols; i += ROWS)
            for (int k = x; k < x + 4 && row + k < rows; k++) out[(size_t)(col + i) * rows + row + k] = tile[k][i];
    }
}
