// rejected by: has_no_races
// perhaps also: matches_numpy
// "A barrier makes it right." Not behind both accesses.
// x[t] = x[t + 1] for all t, and the last gets what the first had. One block.
__global__ void rotate_left(int* x, int n)
{
    int t = threadIdx.x;
    if (t < n)
        x[t] = x[(t + 1) % n];
    __syncthreads();
}
