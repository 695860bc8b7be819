// rejected by: shares_the_work
// "One thread of the grid does it all: then nobody comes in its way."
// y[i] = a * x[i] + y[i], for every i below n. One thread computes one element.
__global__ void saxpy(float a, const float* x, float* y, int n)
{
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return;
    for (int i = 0; i < n; ++i)
        y[i] = a * x[i] + y[i];
}
