// kernel: k   grid: 1   block: 32
// args: out float32[32] zeros
// expect: Crash lines=1 reason="address not global"
__global__ void k(float* out)
{
    __shared__ float s[32];
    float x;
    s[threadIdx.x] = 1;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(&s[threadIdx.x])); // (1)
    out[threadIdx.x] = x;
}
