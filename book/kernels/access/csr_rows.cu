// finds: nothing
// launch: grid=2, block=64, args=[row_starts(128), ramp(1024), empty(128)]

// One row of a sparse matrix for each thread, of 0 to 15 elements.
__global__ void csr_rows(const int* starts, const float* values, float* out)
{
    int row = threadIdx.x + blockDim.x * blockIdx.x;
    float sum = 0.0f;

    for (int k = starts[row]; k < starts[row + 1]; ++k)
        sum += values[k];
    out[row] = sum;
}
