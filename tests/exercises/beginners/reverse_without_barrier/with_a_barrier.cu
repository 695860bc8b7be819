%%cuda reverse_without_barrier
// Reverses all n numbers of d in place.
__global__ void reverse_without_barrier(int* d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Which places does this thread touch, if any? Put there what belongs there.
    int mine = 0;
    if (i < n) mine = d[n - 1 - i];
    __syncthreads();
    if (i < n) d[i] = mine;
}
