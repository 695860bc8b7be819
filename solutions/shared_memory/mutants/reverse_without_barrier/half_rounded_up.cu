// rejected by: has_no_races
// perhaps also: matches_numpy, loads_at_most, stores_at_most
// "The first half, up to n / 2." For an even n the middle pair is exchanged by two threads.
// Reverses all n numbers of d in place.
__global__ void reverse_without_barrier(int* d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Which places does this thread touch, if any? Put there what belongs there.
    int partner = n - 1 - i;
    if (i <= n / 2 && i < n) {
        int kept = d[i];
        d[i] = d[partner];
        d[partner] = kept;
    }
}
