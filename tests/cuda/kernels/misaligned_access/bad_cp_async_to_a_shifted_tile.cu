// kernel: k   grid: 1   block: 1
// args: in float32[4] random
// expect: MisalignedAccess lines=1 width=16 address_mod=4 array=tile action=write
__global__ void k(const float* in)
{
    __shared__ __align__(16) float tile[8];
    unsigned to = (unsigned)__cvta_generic_to_shared(&tile[1]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in)); // (1)
    asm volatile("cp.async.wait_all;");
}
