// rejected by: has_no_races
// Threads also take tickets, and only who draws another number than its own leaves a note, which nothing orders.
__device__ unsigned tickets;
__device__ int note;

__global__ void saxpy(float a, const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int ticket = atomicInc(&tickets, n - 1);
    if (ticket != i)
        note = i;
    y[i] = a * x[i] + y[i];
}
