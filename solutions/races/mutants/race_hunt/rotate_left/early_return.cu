// rejected by: reaches_every_barrier
// perhaps also: has_no_races, matches_numpy
// "Threads behind the end can leave."
// x[t] = x[t + 1] for all t, and the last gets what the first had. One block.
__global__ void rotate_left(int* x, int n)
{
    int t = threadIdx.x;
    if (t >= n)
        return;
    int next = x[(t + 1) % n];      // in a register, where nobody can overwrite it
    __syncthreads();    // everyone must have read before anyone writes
    if (t < n)
        x[t] = next;
}
