%%cuda saxpy
// y[i] = a * x[i] + y[i], for every i below n. One thread computes one element.
__global__ void saxpy(float a, const float* x, float* y, int n)
{
    // Which element is this thread's?

    // Compute it, if there is such an element.
    y = a * x + y;
}
