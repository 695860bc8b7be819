// rejected by: stays_in_bounds
// perhaps also: reads_only_what_was_written, matches_numpy
// "A word more in each row." There is no room for it.
// out[r] = the sum of row r of in, a matrix of rows x 32. A block takes blockDim.x rows.
__global__ void bank_free_columns(const int* in, int* out, int rows)
{
    extern __shared__ int rows_here[];              // 32 * blockDim.x elements
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;            // the block's first row
    int here = min((int)blockDim.x, rows - first);  // how many rows it has

    // 1. Load the block's rows, side by side.
    for (int j = t; j < 32 * here; j += blockDim.x)
        rows_here[j / 32 * 33 + j % 32] = in[32 * first + j];
    __syncthreads();    // a row was loaded by other threads than the one that adds it up

    // 2. Add up row t, if the block has it, and store the sum.
    if (t < here) {
        int sum = 0;
        for (int k = 0; k < 32; ++k)
            sum += rows_here[33 * t + k];    // each lane begins one column further on
        out[first + t] = sum;
    }
}
