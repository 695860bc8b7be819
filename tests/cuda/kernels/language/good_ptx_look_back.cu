// kernel: scan   grid: 6   block: 32
// args: in int32[192] random, tiles uint32[12] zeros, out int32[192] poison
// expect: nothing
// check: out == np.cumsum(in_)
// A status and a sum go from block to block at once, as in CUB. 1: the block's own sum; 2: that of all up to it.
__device__ void publish(unsigned* tile, unsigned status, int sum)
{
    asm volatile("st.relaxed.gpu.v2.u32 [%0], {%1, %2};" ::"l"(tile), "r"(status), "r"(sum) : "memory");
}
__global__ void scan(const int* in, unsigned* tiles, int* out)
{
    __shared__ int before;
    int t = threadIdx.x, b = blockIdx.x, v = in[b * 32 + t];
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffffu, v, d);
        if (t >= d) v += other;
    }
    if (t == 31) {
        publish(tiles + 2 * b, 1, v);
        int sum = 0, more = 0;
        for (unsigned p = b, status = 0; p-- > 0 && status != 2; sum += more)
            do
                asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];"
                             : "=r"(status), "=r"(more)
                             : "l"(tiles + 2 * p)
                             : "memory");
            while (status == 0);
        publish(tiles + 2 * b, 2, sum + v);
        before = sum;
    }
    __syncwarp();
    out[b * 32 + t] = before + v;
}
