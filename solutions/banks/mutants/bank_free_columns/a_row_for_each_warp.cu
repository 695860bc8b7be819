// rejected by: does_without_atomics_lane_exchanges
// "A warp adds up one row, by shuffles." Then no column is ever read, and there is nothing to learn of banks.
// out[r] = the sum of row r of in, a matrix of rows x 32. A block takes blockDim.x rows.
__global__ void bank_free_columns(const int* in, int* out, int rows)
{
    extern __shared__ int rows_here[];              // 32 * blockDim.x elements
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;            // the block's first row
    int here = min((int)blockDim.x, rows - first);  // how many rows it has

    for (int j = t; j < 32 * here; j += blockDim.x) {
        int sum = in[32 * first + j];
        for (int lanes = 16; lanes > 0; lanes /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, lanes);
        if (t % 32 == 0)
            rows_here[j / 32] = sum;
    }
    __syncthreads();
    if (t < here)
        out[first + t] = rows_here[t];
}
