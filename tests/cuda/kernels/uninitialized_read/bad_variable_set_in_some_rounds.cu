// kernel: pick   grid: 1   block: 32
// args: in int32[32] random, out int32[128] poison
// expect: UninitializedRead lines=1 array=value space=local
__device__ int chosen(const int* in, int round)
{
    int value;
    if (round != 2)
        value = in[threadIdx.x];
    return value;  // (1)
}
__global__ void pick(const int* in, int* out)
{
    for (int round = 0; round < 4; ++round)
        out[4 * threadIdx.x + round] = chosen(in, round);
}
