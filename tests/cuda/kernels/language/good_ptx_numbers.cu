// kernel: k   grid: 1   block: 1
// args: out uint32[40] poison, f float32[7] poison, w uint64[4] poison
// expect: nothing
// check: out == [0x10, 13, 0x30, 2**32 - 3, 0xfffffdf0, 38, 2**32 - 1, 0, 11, 12, 2**32 - 1, 0, 0, 1, 2**31 - 1, 2**31, 0x20077f80, 0x7fff8000, 0x3f801000 & ~0x1fff, 0x40004200, 0xc000bc00, 0x41c03c00, 0x7c007bff, 0x3f804000, 1, 0, 0, 1, 0, 42, 45, 2**32 - 5, 0xc200] + [0] * 7
// check: f == [1, 0, 0.5, -3, 0, 11, 2]
// check: w == [2, 4, 2**64 - 2, 0]
__global__ void k(unsigned* out, float* f, unsigned long long* w)
{
    unsigned short h;
    unsigned a = 0xfffffff0u, b = 0x20u, c = 5, d = 7;
    // carry and borrow
    asm("add.cc.u32 %0, %2, %3; addc.u32 %1, %4, %5;" : "=r"(out[0]), "=r"(out[1]) : "r"(a), "r"(b), "r"(c), "r"(d));
    asm("sub.cc.u32 %0, %2, %3; subc.cc.u32 %1, %4, %5;" : "=r"(out[2]), "=r"(out[3]) : "r"(b), "r"(a), "r"(c), "r"(d));
    asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, %5;"
        : "=r"(out[4]), "=r"(out[5])
        : "r"(a), "r"(b), "r"(a), "r"(6));
    asm("{ .reg .u32 t; sub.cc.s32 t, %2, %3; subc.u32 %0, 0, 0; add.cc.u32 t, %2, 1; addc.u32 %1, 0, 0; }"
        : "=r"(out[6]), "=r"(out[7])
        : "r"(c), "r"(d));
    asm("add.cc.u64 %0, %2, %3; addc.u64 %1, 1, 2;" : "=l"(w[0]), "=l"(w[1]) : "l"(~0ull), "l"(3ull));
    asm("mad.lo.cc.u64 %0, %2, %2, %3; madc.hi.s64 %1, %2, %2, 0;" : "=l"(w[2]), "=l"(w[3]) : "l"(~0ull), "l"(~0ull - 2));
    // choices and comparisons
    asm("slct.b32.s32 %0, 11, 12, %2; slct.b32.f32 %1, 11, 12, %3;" : "=r"(out[8]), "=r"(out[9]) : "r"(0), "f"(-1.0f));
    asm("set.lt.u32.s32 %0, %2, %3; set.gt.u32.f32 %1, %4, %5;"
        : "=r"(out[10]), "=r"(out[11])
        : "r"(-1), "r"(2), "f"(1.0f), "f"(2.0f));
    asm("cnot.b32 %0, %2; cnot.b32 %1, 0;" : "=r"(out[12]), "=r"(out[13]) : "r"(9));
    asm("add.sat.s32 %0, %2, %2; sub.sat.s32 %1, %3, 9;" : "=r"(out[14]), "=r"(out[15]) : "r"(0x70000000), "r"(-2147483647));
    // numbers of 8 and 16 bits
    asm("cvt.pack.sat.s8.s32.b32 %0, 300, -128, 0x2007; cvt.pack.sat.s16.s32 %1, 70000, -70000;" : "=r"(out[16]), "=r"(out[17]));
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(out[18]) : "f"(1.0f + 0x1p-12f));
    asm("add.f16x2 %0, %1, %2;" : "=r"(out[19]) : "r"(0x3c003c00), "r"(0x3c004000));
    asm("neg.f16x2 %0, %1;" : "=r"(out[20]) : "r"(0x40003c00));
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(out[21]) : "r"(0x40403c00), "r"(0x41003f80), "r"(0x00000000));
    asm("cvt.rz.f16x2.f32 %0, %1, %1; max.f16x2 %0, %0, %2;" : "=r"(out[22]) : "f"(1e6f), "r"(0x7c000000));
    asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2; max.bf16x2 %0, %0, %3;" : "=r"(out[23]) : "f"(1.0f), "f"(-4.0f), "r"(0x00004000));
    asm("{ .reg .pred p, q, r; setp.ne.u32 r, %4, 0; setp.lt.and.s32 p|q, 1, 2, r; testp.notanumber.f32 r, %3; setp.eq.or.s32 r, 1, 2, r;"
        " selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; selp.u32 %2, 1, 0, r; }"
        : "=r"(out[24]), "=r"(out[25]), "=r"(out[26])
        : "f"(1.0f), "r"(1));
    asm("{ .reg .pred p; testp.subnormal.f32 p, %2; selp.u32 %0, 1, 0, p; testp.normal.f32 p, %2; selp.u32 %1, 1, 0, p; }"
        : "=r"(out[27]), "=r"(out[28])
        : "f"(0x1p-140f));
    asm("mul24.lo.u32 %0, %2, 7; mad24.lo.u32 %1, %2, 7, 3;" : "=r"(out[29]), "=r"(out[30]) : "r"(0xff000006));
    for (int i = 33; i < 40; i++) out[i] = 0;
    // floats
    asm("add.sat.f32 %0, %2, %2; mul.sat.f32 %1, %2, %3;" : "=f"(f[0]), "=f"(f[1]) : "f"(3.0f), "f"(-3.0f));
    asm("fma.rn.sat.f32 %0, %2, %3, %4; copysign.f32 %1, %5, %6;"
        : "=f"(f[2]), "=f"(f[3])
        : "f"(0.5f), "f"(1.0f), "f"(0.0f), "f"(-1.0f), "f"(3.0f));
    asm("cvt.sat.f32.f32 %0, %2; mad.rn.f32 %1, %3, %3, %4;" : "=f"(f[4]), "=f"(f[5]) : "f"(-1.0f), "f"(3.0f), "f"(2.0f));
    asm("cvt.rn.f16.s32 %0, %2; cvt.rzi.s32.f16 %1, %3;" : "=h"(h), "=r"(out[31]) : "r"(-3), "h"((unsigned short)0xc580));
    asm("{ .reg .b16 a; cvt.rpi.f16.f16 a, %1; cvt.f32.f16 %0, a; }" : "=f"(f[6]) : "h"((unsigned short)0x3e00));
    out[32] = h;
}
