%%cuda neighbor_update
// One block, n <= blockDim.x. First x[t] becomes x[t] + its right neighbor, then y[t] the larger of the new two.
__global__ void neighbor_update(int* x, int* y, int n)
{
    int t = threadIdx.x;

    // Read what step 1 needs: the numbers as they were at the start.
    int mine = 0, right = 0;
    if (t < n) mine = x[t];
    if (t + 1 < n) right = x[t + 1];
    __syncthreads();

    // Change x.
    if (t < n) x[t] = mine + right;

    // Step 2: write y.
    if (t < n) y[t] = max(mine, right);
}
