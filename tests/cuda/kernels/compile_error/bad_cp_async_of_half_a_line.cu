// kernel: k   grid: 1   block: 32
// args: in float32[32] random
// expect: CompileError lines=1 message=".cg"
__global__ void k(const float* in)
{
    __shared__ __align__(16) float tile[128];
    unsigned to = (unsigned)__cvta_generic_to_shared(&tile[4 * threadIdx.x]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 8;" ::"r"(to), "l"(in)); // (1)
    asm volatile("cp.async.wait_all;");
}
