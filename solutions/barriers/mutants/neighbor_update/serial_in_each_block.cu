// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// One block, n <= blockDim.x. First x[t] becomes x[t] + its right neighbor, then y[t] the larger of the new two.
__global__ void neighbor_update(int* x, int* y, int n)
{
    if (threadIdx.x > 0)
        return;
    int first = x[0];
    for (int i = 0; i < n; ++i)
        x[i] += i + 1 < n ? x[i + 1] : first;
    for (int i = 0; i < n; ++i)
        y[i] = max(x[i], x[i + 1 < n ? i + 1 : 0]);
}
