// rejected by: stays_in_bounds
// perhaps also: matches_numpy
// "There is one block, and it is large enough." It is larger than n.
// One block, n <= blockDim.x. First x[t] becomes x[t] + its right neighbor, then y[t] the larger of the new two.
__global__ void neighbor_update(int* x, int* y, int n)
{
    int t = threadIdx.x;

    // Read what step 1 needs: the numbers as they were at the start.
    int right = t + 1 < n ? t + 1 : 0;
    int sum = 0;
    sum = x[t] + x[right];
    __syncthreads();    // every neighbor must have read the old x[t] before it changes

    // Change x.
    x[t] = sum;
    __syncthreads();    // the neighbor's sum must be there before anyone compares with it

    // Step 2: write y.
    y[t] = max(x[t], x[right]);
}
