// rejected by: shares_the_work
// "Two elements in one access are half the loads." Half of the threads have nothing to do.
// y[i] = a * x[i] + y[i], for every i below n. One thread computes one element.
__global__ void saxpy(float a, const float* x, float* y, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        float2 here = *(const float2*)(x + i);
        float2 sum = *(float2*)(y + i);
        sum.x += a * here.x;
        sum.y += a * here.y;
        *(float2*)(y + i) = sum;
    } else if (i < n) {
        y[i] += a * x[i];
    }
}
