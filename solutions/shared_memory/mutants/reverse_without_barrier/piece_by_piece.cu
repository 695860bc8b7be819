// rejected by: matches_numpy
// perhaps also: stays_in_bounds
// "Each block reverses its own numbers." That is another exercise.
// Reverses all n numbers of d in place.
__global__ void reverse_without_barrier(int* d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Which places does this thread touch, if any? Put there what belongs there.
    int partner = (blockIdx.x + 1) * blockDim.x - 1 - threadIdx.x;
    if (i < partner) {
        int kept = d[i];
        d[i] = d[partner];
        d[partner] = kept;
    }
}
