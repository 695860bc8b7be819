// rejected by: stays_in_bounds
// perhaps also: has_no_races, matches_numpy, loads_at_most, stores_at_most
// "Every thread has a pair."
// Reverses all n numbers of d in place.
__global__ void reverse_without_barrier(int* d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Which places does this thread touch, if any? Put there what belongs there.
    int partner = n - 1 - i;
    {
        int kept = d[i];
        d[i] = d[partner];
        d[partner] = kept;
    }
}
