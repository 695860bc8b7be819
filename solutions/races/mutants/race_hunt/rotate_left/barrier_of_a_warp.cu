// rejected by: has_no_races
// perhaps also: matches_numpy
// "My neighbor is in my warp." The last lane's is not.
// x[t] = x[t + 1] for all t, and the last gets what the first had. One block.
__global__ void rotate_left(int* x, int n)
{
    int t = threadIdx.x;
    int next = t < n ? x[(t + 1) % n] : 0;      // in a register, where nobody can overwrite it
    __syncwarp();    // everyone must have read before anyone writes
    if (t < n)
        x[t] = next;
}
