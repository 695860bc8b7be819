// rejected by: does_without_atomics_lane_exchanges
// "No load, no conflict." Each number goes to its row's sum by an atomic: 32 lanes take turns at one word.
// out[r] = the sum of row r of in, a matrix of rows x 32. A block takes blockDim.x rows.
__global__ void bank_free_columns(const int* in, int* out, int rows)
{
    extern __shared__ int rows_here[];              // 32 * blockDim.x elements
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;            // the block's first row
    int here = min((int)blockDim.x, rows - first);  // how many rows it has

    rows_here[t] = 0;
    __syncthreads();
    for (int j = t; j < 32 * here; j += blockDim.x)
        atomicAdd(&rows_here[j / 32], in[32 * first + j]);
    __syncthreads();
    if (t < here)
        out[first + t] = rows_here[t];
}
