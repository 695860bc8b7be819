// kernel: k   grid: 1   block: 8,8
// args: out int32[64] poison, x float32[64] arange
// expect: nothing
// check: out == np.arange(64) % 32 + (np.arange(64) % 32 ^ 1) * 100 + np.arange(64) * 10000
// check: x == 2.0 ** (np.arange(64) % 3) + 1
__device__ unsigned lane()
{
    unsigned found;
    asm("mov.u32 %0, %%laneid;" : "=r"(found));
    return found;
}

__device__ unsigned before()
{
    unsigned mask;
    asm volatile(
        "mov.u32 %0, %lanemask_lt;\n\t"
        : "=r"(mask));
    return __popc(mask);
}

__global__ void k(int* out, float* x)
{
    int t = threadIdx.x + 8 * threadIdx.y;
    asm volatile("st.global.cg.s32 [%0], %1;" ::"l"(&out[t]), "r"(t) : "memory");
    asm volatile("bar.sync 0;");
    int other, own, sum, majority;
    asm("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(other) : "r"(before()));
    asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(own) : "l"(&out[t]));
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(majority) : "r"(lane()), "r"(own), "r"(lane()));
    asm("mad.lo.s32 %0, %1, 100, %2;" : "=r"(sum) : "r"(other), "r"(majority));
    asm("membar.gl; add.s32 %0, %1, %2;" : "=r"(sum) : "r"(sum), "r"(own * 10000));
    asm volatile("" ::: "memory");
    out[t] = sum;
    float y = t % 3, z;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(z) : "f"(y));
    asm("fma.rn.f32 %0, %1, %2, %2;" : "=f"(x[t]) : "f"(z), "f"(1.0f));
}
