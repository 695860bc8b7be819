// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// out[r] = the sum of row r of in, a matrix of rows x 32. A block takes blockDim.x rows.
__global__ void bank_free_columns(const int* in, int* out, int rows)
{
    extern __shared__ int rows_here[];              // 32 * blockDim.x elements
    int first = blockIdx.x * blockDim.x;            // the block's first row
    int here = min((int)blockDim.x, rows - first);  // how many rows it has

    if (threadIdx.x > 0)
        return;
    for (int j = 0; j < 32 * here; ++j)
        rows_here[j] = in[32 * first + j];
    for (int row = 0; row < here; ++row) {
        int sum = 0;
        for (int k = 0; k < 32; ++k)
            sum += rows_here[32 * row + k];
        out[first + row] = sum;
    }
}
