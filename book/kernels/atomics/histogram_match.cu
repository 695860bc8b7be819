// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 100) % 16, zeros('int32', 16), 100]

// bins[b] = how often b occurs in x. One lane adds for all lanes of its
// warp that have the same number.
__global__ void histogram_match(const int* x, int* bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i < n ? x[i] : -1;  // no element, but the lane takes part

    unsigned same = __match_any_sync(0xffffffffu, mine);
    bool first = threadIdx.x % 32 == __ffs(same) - 1;
    if (mine >= 0 && first) atomicAdd(&bins[mine], __popc(same));
}
