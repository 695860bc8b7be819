// kernel: sum_all   grid: 4   block: 32
// args: in int32[128] random, partial int32[4] poison, ticket uint32[1] zeros, out int32[1] poison
// expect: nothing
// check: out == [in_.sum()]
// check: ticket == [0]
__global__ void sum_all(const int* in, int* partial, unsigned* ticket, int* out)
{
    __shared__ bool last;
    int t = threadIdx.x, v = in[blockIdx.x * 32 + t];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (t == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last) return;
    v = t < 4 ? partial[t] : 0;
    for (int d = 2; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (t == 0) {
        *out = v;
        *ticket = 0;  // for the next launch: every block has drawn its ticket
    }
}
