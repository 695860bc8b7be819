// rejected by: stays_in_bounds
// perhaps also: matches_numpy
// "Counted from the end: n - i." Places count from 0.
// Reverses all n numbers of d in place.
__global__ void reverse_without_barrier(int* d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Which places does this thread touch, if any? Put there what belongs there.
    int partner = n - i;
    if (i < partner) {
        int kept = d[i];
        d[i] = d[partner];
        d[partner] = kept;
    }
}
