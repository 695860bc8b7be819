// rejected by: has_no_bank_conflicts
// perhaps also: is_coalesced
// out[r] = the sum of row r of in, a matrix of rows x 32. A block takes blockDim.x rows.
__global__ void bank_free_columns(const int* in, int* out, int rows)
{
    extern __shared__ int rows_here[];              // 32 * blockDim.x elements
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    int here = min((int)blockDim.x, rows - first);
    for (int j = t; j < 32 * here; j += blockDim.x)
        rows_here[j] = in[32 * first + j];
    __syncthreads();
    // One lane after the other adds up its row: no two want the same bank.
    for (int turn = 0; turn < 32; ++turn)
        if (t % 32 == turn && t < here) {
            int sum = 0;
            for (int k = 0; k < 32; ++k)
                sum += rows_here[32 * t + k];
            out[first + t] = sum;
        }
}
