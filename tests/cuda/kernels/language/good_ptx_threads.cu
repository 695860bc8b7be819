// kernel: k   grid: 1   block: 64
// args: out uint32[256] poison, words uint32[4] arange, sums float32[4] zeros, halves uint32[2] zeros
// expect: nothing
// check: out == np.concatenate([[63] * 64, [4] * 64, np.arange(64) // 32, [6] * 64])
// check: sums == [64, 64, 64, 64]
// check: halves == [0x4f804f80, 0x42804280]
__global__ void k(unsigned* out, unsigned* words, float* sums, unsigned* halves)
{
    unsigned t = threadIdx.x, x, y, z, w;
    unsigned long policy;
    asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }" : "=r"(x) : "r"(t));
    out[t] = x;
    asm("{ .reg .pred p, q, r; setp.lt.u32 p, %1, 64; setp.eq.u32 q, %1, 5; bar.red.and.pred r, 0, p; selp.u32 %0, 1, 0, r;"
        " bar.red.or.pred r, 0, q; @r add.u32 %0, %0, 3; bar.red.and.pred r, 0, q; @r add.u32 %0, %0, 7; }"
        : "=r"(x)
        : "r"(t));
    out[64 + t] = x;
    asm("mov.u32 %0, %%warpid;" : "=r"(out[128 + t]));
    asm("createpolicy.fractional.L2::evict_first.b64 %0;" : "=l"(policy));
    asm volatile("ld.relaxed.gpu.global.L1::no_allocate.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                 : "l"(words));
    asm volatile("st.global.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(out + 192 + t), "r"(x + y + z + w), "l"(policy) : "memory");
    asm volatile("red.global.add.v4.f32 [%0], {%1,%1,%1,%1};" ::"l"(sums), "f"(1.0f) : "memory");
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(halves), "r"(0x37803780) : "memory");
    asm volatile("red.release.cluster.global.add.noftz.bf16x2 [%0], %1;" ::"l"(halves + 1), "r"(0x3f803f80) : "memory");
}
