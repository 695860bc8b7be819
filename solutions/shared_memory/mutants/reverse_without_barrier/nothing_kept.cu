// rejected by: matches_numpy
// "d[i] = d[j] and d[j] = d[i] exchange the two." After the first, both are the same.
// Reverses all n numbers of d in place.
__global__ void reverse_without_barrier(int* d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Which places does this thread touch, if any? Put there what belongs there.
    int partner = n - 1 - i;
    if (i < partner) {
        d[i] = d[partner];
        d[partner] = d[i];
    }
}
