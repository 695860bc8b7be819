// A warp takes four rows of 8 elements, not two of 16.
__global__ void transpose_coalesced(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[16][17];
    int t = 16 * threadIdx.y + threadIdx.x;
    int x = t / 128 * 8 + t % 8, y = t % 128 / 8;

    int row = 16 * blockIdx.y + y, col = 16 * blockIdx.x + x;
    if (row < rows && col < cols)
        tile[y][x] = in[row * cols + col];
    __syncthreads();

    row = 16 * blockIdx.x + y, col = 16 * blockIdx.y + x;
    if (row < cols && col < rows)
        out[row * rows + col] = tile[x][y];
}
