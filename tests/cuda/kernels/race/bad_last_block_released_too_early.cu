// kernel: sum_all   grid: 4   block: 64
// args: in int32[256] random, partial int32[256] poison, ticket uint32[1] zeros, out int32[1] zeros
// expect: Race lines=1,2 array=partial hazard=read-after-write scope=grid
__global__ void sum_all(const int* in, int* partial, unsigned* ticket, int* out)
{
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    partial[i] = 2 * in[i];                       // (1)
    if (t == 0) {
        // Missing: a barrier. The fence speaks for thread 0 only.
        __threadfence();
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last) return;
    for (int b = 0; b < 4; b++)
        atomicAdd(out, partial[b * 64 + t]);      // (2)
}
