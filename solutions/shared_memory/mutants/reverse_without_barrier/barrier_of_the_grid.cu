// rejected by: does_without_barriers
// "There is a barrier for all blocks." There is, where all of them fit on the GPU at once, and it makes every one wait.
#include <cooperative_groups.h>

// Reverses all n numbers of d in place.
__global__ void reverse_without_barrier(int* d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i < n ? d[n - 1 - i] : 0;

    cooperative_groups::this_grid().sync();     // everyone must have read before anyone writes
    if (i < n)
        d[i] = mine;
}
