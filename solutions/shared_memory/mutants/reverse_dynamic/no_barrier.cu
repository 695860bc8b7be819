// rejected by: has_no_races
// perhaps also: matches_numpy, reads_only_what_was_written
// "The copying is over when the loop is." This thread's is.
// Each block reverses one row of d in place; a row has w elements.
__global__ void reverse_dynamic(double* d, int w)
{
    int t = threadIdx.x;

    // Declare the array in shared memory, and find out where this block's row begins in d.
    extern __shared__ double kept[];
    int start = blockIdx.x * w;

    // 1. Copy the row to shared memory.
    for (int column = t; column < w; column += blockDim.x)
        kept[column] = d[start + column];

    // 2. Write it back in the opposite order.
    for (int column = t; column < w; column += blockDim.x)
        d[start + column] = kept[w - 1 - column];
}
