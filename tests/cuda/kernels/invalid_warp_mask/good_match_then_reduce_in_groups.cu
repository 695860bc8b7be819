// kernel: group_size   grid: 1   block: 32
// args: in int32[32] random, out int32[32] poison
// expect: nothing
// check: out == [(in_ % 5 == v % 5).sum() for v in in_]
__global__ void group_size(const int* in, int* out)
{
    int key = in[threadIdx.x] % 5;
    unsigned peers = __match_any_sync(0xffffffffu, key);
    __syncwarp(peers);  // each lane with its own group's mask
    out[threadIdx.x] = __popc(peers);
}
