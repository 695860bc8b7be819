// kernel: k   grid: 1   block: 32
// args: in float32[32] arange, out int32[224] poison, bits float32[32] poison
// expect: nothing
// check: out == np.concatenate([np.arange(32) * 3 + 7, [101] * 32, range(32), [-1] + [5] * 31, np.arange(32) + 8, np.arange(32) + 3, [-31] * 32])
// check: bits == np.arange(32)
// Each is read and written once, whatever the statement does with it; its names are nobody's.
#define NEXT next++
#define ADD(to, a, b)                  \
    asm volatile("add.s32 %0, %1, %2;" \
                 : "=r"(to)            \
                 : "r"(a), "r"(b))
#define min(a, b) 9
#define uint32_t double
__device__ int* told(int* counter, int* out)
{
    ++*counter;
    return out;
}

__global__ void k(const float* in, int* out, float* bits)
{
    int t = threadIdx.x, next = 7, counted = 100, kept = 5;
    asm("mad.lo.s32 %0, %1, 3, %2;" : "=r"(out[t]) : "r"(t), "r"(NEXT));
    asm volatile("bar.sync 0;" ::"r"(NEXT), "r"(*told(&counted, &next)));
    out[32 + t] = counted;
    int a, b;
    {
        auto fma = [](float, float, float) { return 9.0f; };
        struct { int x; } threadIdx{9};
        asm("mov.u32 %0, %%tid.x; min.s32 %1, %2, 0;" : "=r"(a), "=r"(b) : "r"(1));
        float one;
        asm("fma.rn.f32 %0, %1, %1, %2;" : "=f"(one) : "f"(1.0f), "f"(0.0f));
        out[64 + t] = a + b + (int)one - (fma(1, 1, 1) > threadIdx.x) - 1;
    }
    asm("{ .reg .pred p; setp.ne.b32 p, %1, 0; @p add.s32 %0, %0, 0; }" : "+r"(kept) : "r"(t));
    asm("{ .reg .pred p; setp.eq.b32 p, %1, 0; @p sub.s32 %0, %0, 6; }" : "+r"(kept) : "r"(t));
    out[96 + t] = kept;
    ADD(out[128 + t], t, next - 1);
    constexpr int three = 3;
    asm("add.s32 %0, %1, %2; lop3.b32 %0, %0, %0, %0, %3;"
        : "=r"(out[160 + t])
        : "r"(t), "n"(three), "n"(0xf0));
    int first = 1; // what an instruction writes, the next one reads; the operand is written last
    asm("sub.s32 %0, %0, %1; add.s32 %0, %0, 0;" : "+r"(*told(&counted, &first)) : "r"(32));
    out[192 + t] = first + (counted != 102);
    float x;
    asm volatile("ld.global.b32 %0, [%1];" : "=f"(x) : "l"(&in[t]));
    asm volatile("st.global.b32 [%0], %1;" ::"l"(&bits[t]), "f"(x) : "memory");
}
