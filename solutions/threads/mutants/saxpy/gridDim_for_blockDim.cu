// rejected by: matches_numpy
// perhaps also: has_no_races, is_coalesced
// "The blocks before mine: blockIdx.x of gridDim.x." The step from block to block is the size of a block.
// y[i] = a * x[i] + y[i], for every i below n. One thread computes one element.
__global__ void saxpy(float a, const float* x, float* y, int n)
{
    // Which element is this thread's?
    int i = blockIdx.x * gridDim.x + threadIdx.x;

    // Compute it, if there is such an element.
    if (i < n)
        y[i] = a * x[i] + y[i];
}
