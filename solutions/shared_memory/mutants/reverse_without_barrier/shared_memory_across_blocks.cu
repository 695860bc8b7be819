// rejected by: has_no_races
// perhaps also: matches_numpy, stays_in_bounds
// "Shared memory keeps the old numbers." Those of its own block; the other block may have overwritten them by then.
// Reverses all n numbers of d in place.
__global__ void reverse_without_barrier(int* d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Which places does this thread touch, if any? Put there what belongs there.
    int partner = n - 1 - i;
    __shared__ int tile[256];
    if (i < n)
        tile[threadIdx.x] = d[i];
    __syncthreads();
    if (i < n)
        d[partner] = tile[threadIdx.x];
}
