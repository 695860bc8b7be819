// rejected by: has_no_races
// perhaps also: matches_numpy
// "All have read before the barrier." All threads of one block have.
// Reverses all n numbers of d in place.
__global__ void reverse_without_barrier(int* d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Which places does this thread touch, if any? Put there what belongs there.
    int partner = n - 1 - i;
    int kept = i < n ? d[i] : 0;
    __syncthreads();
    if (i < n)
        d[partner] = kept;
}
