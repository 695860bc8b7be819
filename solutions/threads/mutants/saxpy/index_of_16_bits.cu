// rejected by: matches_numpy
// perhaps also: has_no_races
// "An index is never negative, and short is enough." Not for more than 65,536 elements.
// y[i] = a * x[i] + y[i], for every i below n. One thread computes one element.
__global__ void saxpy(float a, const float* x, float* y, int n)
{
    // Which element is this thread's?
    unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;

    // Compute it, if there is such an element.
    if (i < n)
        y[i] = a * x[i] + y[i];
}
