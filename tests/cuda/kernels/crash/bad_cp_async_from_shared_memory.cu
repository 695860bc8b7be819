// kernel: k   grid: 1   block: 1
// args: out float32[1] zeros
// expect: Crash lines=1 reason="address not global"
__global__ void k(float* out)
{
    __shared__ float from, to;
    from = 1;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(&to)), "l"(&from)); // (1)
    asm volatile("cp.async.wait_all;");
    out[0] = to;
}
