// kernel: k   grid: 1   block: 32
// args: out uint32[32] poison
// expect: Race lines=1,2 array=to hazard=read-after-write
__global__ void k(unsigned* out)
{
    __shared__ alignas(16) unsigned to[32];
    int t = threadIdx.x;
    to[t] = 0;
    unsigned place = __cvta_generic_to_shared(&to[4 * (t % 8)]);
    __syncwarp();
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(place), "r"(t) : "memory");  // (1)
    out[t] = to[31 - t];  // (2)
}
