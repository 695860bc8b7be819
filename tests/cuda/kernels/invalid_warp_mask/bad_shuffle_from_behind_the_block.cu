// kernel: sums   grid: 1   block: 48
// args: in int32[48] random, out int32[2] poison
// expect: InvalidWarpMask lines=1 source=absent mask=4294967295
__global__ void sums(const int* in, int* out)
{
    int v = in[threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, d);  // (1)
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}
