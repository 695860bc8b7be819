// kernel: sort   grid: 1   block: 64
// args: in uint32[64] random, out uint32[64] poison
// expect: nothing
// check: out == np.sort(in_)
__global__ void sort(const unsigned* in, unsigned* out)
{
    __shared__ unsigned s[64], zeros[2];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    unsigned v = in[t];
    for (int bit = 0; bit < 6; bit++) {
        unsigned ones = __ballot_sync(0xffffffffu, v >> bit & 1);
        if (lane == 0) zeros[warp] = 32 - __popc(ones);
        __syncthreads();
        unsigned ones_before = __popc(ones & ((1u << lane) - 1)) + (warp ? 32 - zeros[0] : 0);
        unsigned at = v >> bit & 1 ? zeros[0] + zeros[1] + ones_before : t - ones_before;
        s[at] = v;
        __syncthreads();  // also: zeros are read, before the next round writes them
        v = s[t];
        __syncthreads();
    }
    out[t] = v;
}
