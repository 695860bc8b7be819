%%cuda bank_free_columns
// out[r] = the sum of row r of in, a matrix of rows x 32. A block takes blockDim.x rows.
__global__ void bank_free_columns(const int* in, int* out, int rows)
{
    extern __shared__ int rows_here[];              // 32 * blockDim.x elements
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;            // the block's first row
    int here = min((int)blockDim.x, rows - first);  // how many rows it has

    // 1. Load the block's rows, side by side.
    for (int k = t; k < 32 * here; k += blockDim.x)
        rows_here[k / 32 * 33 + k % 32] = in[32 * first + k];
    __syncthreads();

    // 2. Add up row t, if the block has it, and store the sum.
    if (t < here) {
        int sum = 0;
        for (int k = 0; k < 32; k++)
            sum += rows_here[33 * t + k];
        out[first + t] = sum;
    }
}
