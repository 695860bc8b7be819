// rejected by: is_coalesced
// "Without shared memory there are no bank conflicts." Now the lanes load whole rows apart.
// out[r] = the sum of row r of in, a matrix of rows x 32. A block takes blockDim.x rows.
__global__ void bank_free_columns(const int* in, int* out, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        int sum = 0;
        for (int k = 0; k < 32; ++k)
            sum += in[32 * r + k];
        out[r] = sum;
    }
}
