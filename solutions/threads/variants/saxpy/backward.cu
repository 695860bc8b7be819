// Thread 0 takes the last element.
__global__ void saxpy(float a, const float* x, float* y, int n)
{
    int i = n - 1 - (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= 0)
        y[i] = a * x[i] + y[i];
}
