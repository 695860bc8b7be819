// rejected by: has_no_races
// perhaps also: matches_numpy
// "Each thread writes an element of its own." And reads another's.
// x[t] = x[t + 1] for all t, and the last gets what the first had. One block.
__global__ void rotate_left(int* x, int n)
{
    int t = threadIdx.x;
    if (t < n)
        x[t] = x[(t + 1) % n];
}
