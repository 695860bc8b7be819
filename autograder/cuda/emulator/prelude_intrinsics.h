// CUDA's integer functions, its conversions, and arithmetic with a rounding mode in the name.
#pragma once

// ---- bits and bytes -----------------------------------------------------------------------------------
EMU_FN int __popc(unsigned x) { return __builtin_popcount(x); }
EMU_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
EMU_FN int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
EMU_FN int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
EMU_FN int __ffs(int x) { return __builtin_ffs(x); }
EMU_FN int __ffsll(long long x) { return __builtin_ffsll(x); }
EMU_FN unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
EMU_FN unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
// The position of the n-th bit set in `mask`, counted from `base` upwards, for n < 0 downwards.
EMU_FN unsigned __fns(unsigned mask, unsigned base, int n) {
    if (n == 0) return (mask >> (base & 31)) & 1 ? base : 0xffffffffu;
    int step = n > 0 ? 1 : -1, left = n > 0 ? n : -n;
    for (int i = int(base); i >= 0 && i < 32; i += step)
        if ((mask >> i) & 1 && --left == 0) return unsigned(i);
    return 0xffffffffu;
}
EMU_FN unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
    unsigned long long both = (unsigned long long)b << 32 | a;
    unsigned out = 0;
    for (int i = 0; i < 4; i++) out |= (unsigned(both >> (8 * ((s >> (4 * i)) & 7))) & 255) << (8 * i);
    return out;
}
EMU_FN unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
    return unsigned(((unsigned long long)hi << 32 | lo) << (s & 31) >> 32);
}
EMU_FN unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
    return unsigned(((unsigned long long)hi << 32 | lo) >> (s & 31));
}
EMU_FN unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned s) {
    return s < 32 ? __funnelshift_l(lo, hi, s) : lo;
}
EMU_FN unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned s) {
    return s < 32 ? __funnelshift_r(lo, hi, s) : hi;
}

// ---- products, averages, sums of differences ---------------------------------------------------------
EMU_FN int __mul24(int a, int b) { return int(unsigned(a << 8 >> 8) * unsigned(b << 8 >> 8)); }
EMU_FN unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
EMU_FN int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
EMU_FN unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
EMU_FN long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
EMU_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
EMU_FN int __hadd(int a, int b) { return int(((long long)a + b) >> 1); }
EMU_FN int __rhadd(int a, int b) { return int(((long long)a + b + 1) >> 1); }
EMU_FN unsigned __uhadd(unsigned a, unsigned b) { return unsigned(((unsigned long long)a + b) >> 1); }
EMU_FN unsigned __urhadd(unsigned a, unsigned b) { return unsigned(((unsigned long long)a + b + 1) >> 1); }
EMU_FN unsigned __sad(int a, int b, unsigned c) { return (a < b ? unsigned(b) - unsigned(a) : unsigned(a) - unsigned(b)) + c; }
EMU_FN unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
// Products of four bytes, and of two halves of a word with two bytes, added up.
template <class T> EMU_FN T emu_part(unsigned x, int i) { return T(x >> (8 * sizeof(T) * unsigned(i))); }
#define EMU_DP(R, A, W, B, VA, VW)                                                                \
    EMU_FN R __dp4a(VA a, VA b, R c) {                                                            \
        unsigned sum = unsigned(c);                                                               \
        for (int i = 0; i < 4; i++) sum += unsigned(emu_part<B>(emu_word(a), i) * emu_part<B>(emu_word(b), i)); \
        return R(sum);                                                                            \
    }
template <class T> EMU_FN unsigned emu_word(T v) {
    static_assert(sizeof(T) == 4);
    return __builtin_bit_cast(unsigned, v);
}
EMU_DP(int, int, short, signed char, int, int)
EMU_DP(unsigned, unsigned, unsigned short, unsigned char, unsigned, unsigned)
EMU_DP(int, int, short, signed char, char4, short2)
EMU_DP(unsigned, unsigned, unsigned short, unsigned char, uchar4, ushort2)
#undef EMU_DP
#define EMU_DP2(name, R, H, B, VA, VB, first)                                                     \
    EMU_FN R name(VA a, VB b, R c) {                                                              \
        unsigned sum = unsigned(c);                                                               \
        for (int i = 0; i < 2; i++) sum += unsigned(emu_part<H>(emu_word(a), i) * emu_part<B>(emu_word(b), i + first)); \
        return R(sum);                                                                            \
    }
EMU_DP2(__dp2a_lo, int, short, signed char, int, int, 0) EMU_DP2(__dp2a_hi, int, short, signed char, int, int, 2)
EMU_DP2(__dp2a_lo, unsigned, unsigned short, unsigned char, unsigned, unsigned, 0)
EMU_DP2(__dp2a_hi, unsigned, unsigned short, unsigned char, unsigned, unsigned, 2)
EMU_DP2(__dp2a_lo, int, short, signed char, short2, char4, 0) EMU_DP2(__dp2a_hi, int, short, signed char, short2, char4, 2)
EMU_DP2(__dp2a_lo, unsigned, unsigned short, unsigned char, ushort2, uchar4, 0)
EMU_DP2(__dp2a_hi, unsigned, unsigned short, unsigned char, ushort2, uchar4, 2)
#undef EMU_DP2

// ---- the same bits as another type -------------------------------------------------------------------
#define EMU_AS(name, to, from) EMU_FN to name(from x) { return __builtin_bit_cast(to, x); }
EMU_AS(__float_as_int, int, float) EMU_AS(__float_as_uint, unsigned, float)
EMU_AS(__int_as_float, float, int) EMU_AS(__uint_as_float, float, unsigned)
EMU_AS(__double_as_longlong, long long, double) EMU_AS(__longlong_as_double, double, long long)
#undef EMU_AS
EMU_FN int __double2hiint(double x) { return int(__builtin_bit_cast(long long, x) >> 32); }
EMU_FN int __double2loint(double x) { return int(__builtin_bit_cast(long long, x)); }
EMU_FN double __hiloint2double(int hi, int lo) {
    return __builtin_bit_cast(double, (unsigned long long)unsigned(hi) << 32 | unsigned(lo));
}

// ---- rounding modes: the processor's own, for one operation ------------------------------------------
#include "prelude_rounding.h"
// `volatile` keeps the operation between the two changes of mode.
extern "C" EMU_DEVICE void emu_load_mode(const unsigned* mode) __asm__("llvm.x86.sse.ldmxcsr");  // LLVM's name of the instruction
EMU_FN void emu_set_mode(unsigned mode) { emu_load_mode(&mode); }
#define EMU_ROUNDED(T, mode, expr)                                                                \
    emu_set_mode(mode);                                                                 \
    volatile T out = (expr);                                                                      \
    emu_set_mode(EMU_RN);                                                               \
    return out;
#define EMU_ARITHMETIC(T, letter, suffix, f, mode)                                                \
    EMU_FN T __##letter##add_##suffix(T a, T b) { volatile T x = a, y = b; EMU_ROUNDED(T, mode, x + y) }  \
    EMU_FN T __##letter##sub_##suffix(T a, T b) { volatile T x = a, y = b; EMU_ROUNDED(T, mode, x - y) }  \
    EMU_FN T __##letter##mul_##suffix(T a, T b) { volatile T x = a, y = b; EMU_ROUNDED(T, mode, x * y) }  \
    EMU_FN T __##letter##div_##suffix(T a, T b) { volatile T x = a, y = b; EMU_ROUNDED(T, mode, x / y) }  \
    EMU_FN T __##letter##rcp_##suffix(T a) { volatile T x = a; EMU_ROUNDED(T, mode, T(1) / x) }           \
    EMU_FN T __##letter##sqrt_##suffix(T a) { volatile T x = a; EMU_ROUNDED(T, mode, sqrt(x)) }           \
    EMU_FN T __fma##f##_##suffix(T a, T b, T c) { volatile T x = a, y = b, z = c; EMU_ROUNDED(T, mode, fma(x, y, z)) }
#define EMU_MODES(what, ...) what(__VA_ARGS__, rn, EMU_RN) what(__VA_ARGS__, rz, EMU_RZ) what(__VA_ARGS__, ru, EMU_RU) what(__VA_ARGS__, rd, EMU_RD)
#define EMU_FLOATS(suffix, mode) EMU_ARITHMETIC(float, f, suffix, f, mode) EMU_ARITHMETIC(double, d, suffix, , mode) \
    EMU_FN float __fmaf_ieee_##suffix(float a, float b, float c) { return __fmaf_##suffix(a, b, c); }
EMU_FLOATS(rn, EMU_RN) EMU_FLOATS(rz, EMU_RZ) EMU_FLOATS(ru, EMU_RU) EMU_FLOATS(rd, EMU_RD)
#undef EMU_FLOATS
#undef EMU_ARITHMETIC
EMU_FN float __frsqrt_rn(float x) { return float(1.0 / sqrt(double(x))); }

// Between numbers: to a floating type by the processor's mode; to an integer rounded (emu_whole).
#define EMU_NARROW(name, to, from, suffix, mode)                                                  \
    EMU_FN to name##_##suffix(from v) { volatile from x = v; EMU_ROUNDED(to, mode, to(x)) }
EMU_MODES(EMU_NARROW, __double2float, float, double) EMU_MODES(EMU_NARROW, __int2float, float, int)
EMU_MODES(EMU_NARROW, __uint2float, float, unsigned) EMU_MODES(EMU_NARROW, __ll2float, float, long long)
EMU_MODES(EMU_NARROW, __ull2float, float, unsigned long long) EMU_MODES(EMU_NARROW, __ll2double, double, long long)
EMU_MODES(EMU_NARROW, __ull2double, double, unsigned long long)
#undef EMU_NARROW
EMU_FN double __int2double_rn(int x) { return x; }
EMU_FN double __uint2double_rn(unsigned x) { return x; }

#define EMU_WHOLE(name, to, from)                                                                 \
    EMU_FN to name##_rn(from x) { return emu_whole<to>(rint(double(x)), sizeof(x) == 8); }        \
    EMU_FN to name##_rz(from x) { return emu_whole<to>(trunc(double(x)), sizeof(x) == 8); }       \
    EMU_FN to name##_ru(from x) { return emu_whole<to>(ceil(double(x)), sizeof(x) == 8); }        \
    EMU_FN to name##_rd(from x) { return emu_whole<to>(floor(double(x)), sizeof(x) == 8); }
EMU_WHOLE(__float2int, int, float) EMU_WHOLE(__float2uint, unsigned, float)
EMU_WHOLE(__float2ll, long long, float) EMU_WHOLE(__float2ull, unsigned long long, float)
EMU_WHOLE(__double2int, int, double) EMU_WHOLE(__double2uint, unsigned, double)
EMU_WHOLE(__double2ll, long long, double) EMU_WHOLE(__double2ull, unsigned long long, double)
#undef EMU_WHOLE
#undef EMU_MODES
