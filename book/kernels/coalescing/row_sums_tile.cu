// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=32, args=[numbers('float32', 32, 64), empty(32), 64]

// The sum of each row; cols is a multiple of 32. The 32 threads of a
// block fetch 32 x 32 elements, a row at a time. Then each of them
// adds up its own row of these.
__global__ void row_sums_tile(const float* in, float* out, int cols)
{
    __shared__ float tile[32][33];  // why 33: see the chapter on banks
    int t = threadIdx.x, first_row = 32 * blockIdx.x;
    float sum = 0.0f;

    for (int col = 0; col < cols; col += 32) {
        for (int row = 0; row < 32; ++row)
            tile[row][t] = in[(first_row + row) * cols + col + t];  // load
        __syncthreads();  // barrier 1: the tile is whole
        for (int k = 0; k < 32; ++k)
            sum += tile[t][k];
        __syncthreads();  // barrier 2: nobody needs this tile any more
    }
    out[first_row + t] = sum;  // store: side by side
}
