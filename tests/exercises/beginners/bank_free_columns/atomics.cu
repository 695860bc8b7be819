%%cuda bank_free_columns
// out[r] = the sum of row r of in, a matrix of rows x 32. A block takes blockDim.x rows.
__global__ void bank_free_columns(const int* in, int* out, int rows)
{
    extern __shared__ int rows_here[];              // 32 * blockDim.x elements
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;            // the block's first row
    int here = min((int)blockDim.x, rows - first);  // how many rows it has

    // 1. Load the block's rows, side by side.

    // 2. Add up row t, if the block has it, and store the sum.
    for (int k = t; k < 32 * here; k += blockDim.x)
        atomicAdd(&out[first + k / 32], in[32 * first + k]);
}
