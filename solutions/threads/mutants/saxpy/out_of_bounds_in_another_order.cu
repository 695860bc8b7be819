// rejected by: stays_in_bounds
// perhaps also: matches_numpy
// Threads also take tickets, and only who draws another number than its own looks past the end of x.
__device__ unsigned tickets;

__global__ void saxpy(float a, const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int ticket = atomicInc(&tickets, n - 1);
    y[i] = a * x[ticket == i ? i : n] + y[i];
}
