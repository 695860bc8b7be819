// rejected by: reaches_every_barrier
// perhaps also: matches_numpy
// "Only threads with a number have work to do, so everything stands in one if."
// One block, n <= blockDim.x. First x[t] becomes x[t] + its right neighbor, then y[t] the larger of the new two.
__global__ void neighbor_update(int* x, int* y, int n)
{
    int t = threadIdx.x;

    if (t < n) {
        // Read what step 1 needs: the numbers as they were at the start.
        int right = t + 1 < n ? t + 1 : 0;
        int sum = x[t] + x[right];
        __syncthreads();

        // Change x.
        x[t] = sum;
        __syncthreads();

        // Step 2: write y.
        y[t] = max(x[t], x[right]);
    }
}
