// kernel: sum   grid: 1   block: 32
// args: in int32[20] random, out int32[1] poison
// expect: nothing
// check: out == in_.sum(keepdims=True)
// Votes count the lanes that are left; a shuffle asks only those that its mask names.
__global__ void sum(const int* in, int* out)
{
    int t = threadIdx.x;
    if (t >= 20) return;
    int n = __popc(__ballot_sync(0xffffffffu, 1));
    unsigned mask = (1u << n) - 1;
    int v = in[t];
    for (int d = 16; d > 0; d /= 2) {
        int from = t + d < n ? t + d : t;
        int other = __shfl_sync(mask, v, from);
        if (from != t) v += other;
    }
    if (t == 0 && __all_sync(1u, v > 0)) out[0] = v;
}
