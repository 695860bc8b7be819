// rejected by: reaches_every_barrier
// perhaps also: matches_numpy
// "Threads with no number leave first, then no guard is needed."
// One block, n <= blockDim.x. First x[t] becomes x[t] + its right neighbor, then y[t] the larger of the new two.
__global__ void neighbor_update(int* x, int* y, int n)
{
    int t = threadIdx.x;
    if (t >= n)
        return;

    // Read what step 1 needs: the numbers as they were at the start.
    int right = t + 1 < n ? t + 1 : 0;
    int sum = 0;
    if (t < n)
        sum = x[t] + x[right];
    __syncthreads();    // every neighbor must have read the old x[t] before it changes

    // Change x.
    if (t < n)
        x[t] = sum;
    __syncthreads();    // the neighbor's sum must be there before anyone compares with it

    // Step 2: write y.
    if (t < n)
        y[t] = max(x[t], x[right]);
}
