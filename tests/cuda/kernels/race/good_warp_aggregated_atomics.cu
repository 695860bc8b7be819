// kernel: filter   grid: 2   block: 64
// args: in int32[128] random, count int32[1] zeros, out int32[128] zeros
// expect: nothing
// check: count == [(in_ > 25).sum()]
__global__ void filter(const int* in, int* count, int* out)
{
    int v = in[blockIdx.x * 64 + threadIdx.x], lane = threadIdx.x % 32;
    unsigned takers = __ballot_sync(0xffffffffu, v > 25);
    if (v > 25) {
        int leader = __ffs(takers) - 1, at;
        if (lane == leader) at = atomicAdd(count, __popc(takers));  // one atomic for the warp
        at = __shfl_sync(takers, at, leader);
        out[at + __popc(takers & ((1u << lane) - 1))] = v;
    }
}
