// rejected by: shares_the_work
// "One thread of the grid does it all: then nobody comes in its way."
// Reverses all n numbers of d in place.
__global__ void reverse_without_barrier(int* d, int n)
{
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return;
    for (int i = 0; i < n / 2; ++i) {
        int kept = d[i];
        d[i] = d[n - 1 - i];
        d[n - 1 - i] = kept;
    }
}
