// rejected by: matches_numpy
// "I have the neighbour's number already." That is the one from the start.
// One block, n <= blockDim.x. First x[t] becomes x[t] + its right neighbour, then y[t] the larger of the new two.
__global__ void neighbour_update(int* x, int* y, int n)
{
    int t = threadIdx.x;

    // Read what step 1 needs: the numbers as they were at the start.
    int right = t + 1 < n ? t + 1 : 0;
    int sum = 0, neighbour = 0;
    if (t < n)
        neighbour = x[right];
    if (t < n)
        sum = x[t] + neighbour;
    __syncthreads();    // every neighbour must have read the old x[t] before it changes

    // Change x.
    if (t < n)
        x[t] = sum;
    __syncthreads();    // the neighbour's sum must be there before anyone compares with it

    // Step 2: write y.
    if (t < n)
        y[t] = max(sum, neighbour);
}
