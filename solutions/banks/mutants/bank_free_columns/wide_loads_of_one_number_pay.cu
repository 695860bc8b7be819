// rejected by: has_no_bank_conflicts
// "A number of 16 bytes that all lanes load takes one pass and not four." What it saves pays for no conflict.
// out[r] = the sum of row r of in, a matrix of rows x 32. A block takes blockDim.x rows.
__global__ void bank_free_columns(const int* in, int* out, int rows)
{
    extern __shared__ int rows_here[];              // 32 * blockDim.x elements
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;            // the block's first row
    int here = min((int)blockDim.x, rows - first);  // how many rows it has

    // 1. Load the block's rows, side by side.
    for (int j = t; j < 32 * here; j += blockDim.x)
        rows_here[j] = in[32 * first + j];
    __syncthreads();    // a row was loaded by other threads than the one that adds it up

    // 2. Add up row t, if the block has it, and store the sum.
    if (t < here) {
        int sum = 0;
        for (int again = 0; again < 100; ++again) {
            int4 same = ((const int4*)rows_here)[0];
            sum += 0 * same.x;
        }
        for (int k = 0; k < 32; k += 4) {
            int4 four = ((const int4*)rows_here)[8 * t + k / 4];
            sum += four.x + four.y + four.z + four.w;
        }
        out[first + t] = sum;
    }
}
