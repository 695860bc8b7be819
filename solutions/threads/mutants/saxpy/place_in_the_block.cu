// rejected by: has_no_races
// perhaps also: matches_numpy
// "threadIdx.x is the number of my thread." It is that within the block: all blocks take the first elements.
// y[i] = a * x[i] + y[i], for every i below n. One thread computes one element.
__global__ void saxpy(float a, const float* x, float* y, int n)
{
    // Which element is this thread's?
    int i = threadIdx.x;

    // Compute it, if there is such an element.
    if (i < n)
        y[i] = a * x[i] + y[i];
}
