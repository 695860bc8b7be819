// rejected by: matches_numpy
// perhaps also: has_no_races, stays_in_bounds
// "My block begins at blockIdx.x * blockDim.x." A row is not as long as a block.
// Each block reverses one row of d in place; a row has w elements.
__global__ void reverse_dynamic(double* d, int w)
{
    int t = threadIdx.x;

    // Declare the array in shared memory, and find out where this block's row begins in d.
    extern __shared__ double kept[];
    int start = blockIdx.x * blockDim.x;

    // 1. Copy the row to shared memory.
    for (int column = t; column < w; column += blockDim.x)
        kept[column] = d[start + column];
    __syncthreads();    // the whole row must be copied before anyone overwrites a part of it

    // 2. Write it back in the opposite order.
    for (int column = t; column < w; column += blockDim.x)
        d[start + column] = kept[w - 1 - column];
}
