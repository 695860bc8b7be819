// kernel: k   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: Crash lines=1 reason="address not shared"
__global__ void k(const float* in, float* out)
{
    unsigned to = (unsigned)__cvta_generic_to_shared(&out[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(&in[threadIdx.x])); // (1)
    asm volatile("cp.async.wait_all;");
}
