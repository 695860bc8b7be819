// rejected by: has_no_races
// perhaps also: matches_numpy
// "Each thread moves its own number."
// Reverses all n numbers of d in place.
__global__ void reverse_without_barrier(int* d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Which places does this thread touch, if any? Put there what belongs there.
    int partner = n - 1 - i;
    if (i < n)
        d[partner] = d[i];
}
