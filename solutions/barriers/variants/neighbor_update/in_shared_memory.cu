// The numbers wait in shared memory, with room for the largest block that the task allows.
// One block, n <= blockDim.x. First x[t] becomes x[t] + its right neighbor, then y[t] the larger of the new two.
__global__ void neighbor_update(int* x, int* y, int n)
{
    __shared__ int sums[1024];
    int t = threadIdx.x;
    int right = t + 1 < n ? t + 1 : 0;

    if (t < n)
        sums[t] = x[t] + x[right];
    __syncthreads();    // all have read the old numbers, and all sums are there
    if (t < n) {
        x[t] = sums[t];
        y[t] = max(sums[t], sums[right]);
    }
}
