// kernel: k   grid: 1   block: 1
// args: out float32[1] zeros
// expect: Crash lines=1 reason="address not global"
__global__ void k(float* out)
{
    float x[2];
    asm volatile("st.global.v2.f32 [%0], {%1, %1};" ::"l"(x), "f"(1.0f) : "memory"); // (1)
    out[0] = x[1];
}
