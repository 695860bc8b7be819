// kernel: k   grid: 1   block: 32
// args: out uint32[32] zeros
// expect: OutOfBounds lines=1 array=out action=read
__global__ void k(unsigned* out)
{
    asm volatile("bar.sync 0;" ::"r"(out[1000])); // (1)
    out[threadIdx.x] = 1;
}
