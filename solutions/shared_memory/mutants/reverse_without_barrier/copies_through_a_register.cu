// rejected by: has_no_races
// perhaps also: matches_numpy
// "The number is safe in a register." This one is; the one that it overwrites may not be.
// Reverses all n numbers of d in place.
__global__ void reverse_without_barrier(int* d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Which places does this thread touch, if any? Put there what belongs there.
    int partner = n - 1 - i;
    if (i < n) {
        int kept = d[i];
        d[partner] = kept;
    }
}
