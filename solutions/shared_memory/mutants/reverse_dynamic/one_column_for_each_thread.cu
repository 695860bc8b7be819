// rejected by: matches_numpy
// perhaps also: reads_only_what_was_written
// "There are as many threads as columns." Not in every launch.
// Each block reverses one row of d in place; a row has w elements.
__global__ void reverse_dynamic(double* d, int w)
{
    int t = threadIdx.x;

    // Declare the array in shared memory, and find out where this block's row begins in d.
    extern __shared__ double kept[];
    int start = blockIdx.x * w;

    // 1. Copy the row to shared memory.
    if (t < w)
        kept[t] = d[start + t];
    __syncthreads();    // the whole row must be copied before anyone overwrites a part of it

    // 2. Write it back in the opposite order.
    if (t < w)
        d[start + t] = kept[w - 1 - t];
}
