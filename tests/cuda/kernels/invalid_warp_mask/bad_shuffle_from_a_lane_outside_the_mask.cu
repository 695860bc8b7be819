// kernel: sum   grid: 1   block: 32
// args: in int32[20] random, out int32[1] poison
// expect: InvalidWarpMask lines=1 source=unnamed mask=1048575
__global__ void sum(const int* in, int* out)
{
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffffu, t < 20);
    if (t >= 20) return;
    int v = in[t];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(mask, v, d);        // (1)
    if (t == 0) out[0] = v;
}
