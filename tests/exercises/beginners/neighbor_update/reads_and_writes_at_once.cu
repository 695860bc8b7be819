%%cuda neighbor_update
// One block, n <= blockDim.x. First x[t] becomes x[t] + its right neighbor, then y[t] the larger of the new two.
__global__ void neighbor_update(int* x, int* y, int n)
{
    int t = threadIdx.x;

    // Read what step 1 needs: the numbers as they were at the start.

    // Change x.
    if (t + 1 < n) x[t] = x[t] + x[t + 1];
    __syncthreads();

    // Step 2: write y.
    if (t < n) y[t] = t + 1 < n ? max(x[t], x[t + 1]) : x[t];
}
