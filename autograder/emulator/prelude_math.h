// CUDA's mathematical functions, on the C library's and the compiler's own.
#pragma once

#define EMU_M1(name)                                                                              \
    extern "C" double name(double);                                                               \
    extern "C" float name##f(float);                                                              \
    EMU_FN float name(float x) { return name##f(x); }
#define EMU_M2(name)                                                                              \
    extern "C" double name(double, double);                                                       \
    extern "C" float name##f(float, float);                                                       \
    EMU_FN float name(float x, float y) { return name##f(x, y); }
EMU_M1(sin) EMU_M1(cos) EMU_M1(tan) EMU_M1(asin) EMU_M1(acos) EMU_M1(atan)
EMU_M1(sinh) EMU_M1(cosh) EMU_M1(tanh) EMU_M1(asinh) EMU_M1(acosh) EMU_M1(atanh)
EMU_M1(exp) EMU_M1(exp2) EMU_M1(expm1) EMU_M1(log) EMU_M1(log2) EMU_M1(log10) EMU_M1(log1p)
EMU_M1(sqrt) EMU_M1(cbrt) EMU_M1(erf) EMU_M1(erfc) EMU_M1(tgamma) EMU_M1(lgamma)
EMU_M1(floor) EMU_M1(ceil) EMU_M1(trunc) EMU_M1(round) EMU_M1(rint) EMU_M1(nearbyint) EMU_M1(fabs)
EMU_M2(pow) EMU_M2(atan2) EMU_M2(fmod) EMU_M2(hypot) EMU_M2(copysign) EMU_M2(remainder)
EMU_M2(fdim) EMU_M2(fmin) EMU_M2(fmax) EMU_M2(nextafter)
#undef EMU_M1
#undef EMU_M2
extern "C" double fma(double, double, double);
extern "C" float fmaf(float, float, float);
EMU_FN float fma(float x, float y, float z) { return fmaf(x, y, z); }
extern "C" double ldexp(double, int);
extern "C" float ldexpf(float, int);
extern "C" double modf(double, double*);
extern "C" float modff(float, float*);
extern "C" long lrintf(float);
extern "C" long lroundf(float);
extern "C" float exp10f(float);
extern "C" double exp10(double);

EMU_FN float rsqrtf(float x) { return 1.0f / sqrtf(x); }
EMU_FN double rsqrt(double x) { return 1.0 / sqrt(x); }
EMU_FN float rsqrt(float x) { return rsqrtf(x); }
EMU_FN float rcbrtf(float x) { return 1.0f / cbrtf(x); }
// A macro, so that the two stores are the student's own.
#define sincosf(x, s, c) ({ const float emu_x_ = (x); *(s) = sinf(emu_x_); *(c) = cosf(emu_x_); (void)0; })
EMU_FN float sinpif(float x) { return sinf(3.14159265358979323846f * x); }
EMU_FN float cospif(float x) { return cosf(3.14159265358979323846f * x); }
EMU_FN float __expf(float x) { return expf(x); }
EMU_FN float __exp10f(float x) { return exp10f(x); }
EMU_FN float __logf(float x) { return logf(x); }
EMU_FN float __log2f(float x) { return log2f(x); }
EMU_FN float __log10f(float x) { return log10f(x); }
EMU_FN float __sinf(float x) { return sinf(x); }
EMU_FN float __cosf(float x) { return cosf(x); }
EMU_FN float __tanf(float x) { return tanf(x); }
EMU_FN float __powf(float x, float y) { return powf(x, y); }
EMU_FN float __fdividef(float x, float y) { return x / y; }
EMU_FN float __saturatef(float x) { return x < 0 ? 0.0f : x > 1 ? 1.0f : x == x ? x : 0.0f; }
EMU_FN float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
EMU_FN float __fadd_rn(float x, float y) { return x + y; }
EMU_FN float __fsub_rn(float x, float y) { return x - y; }
EMU_FN float __fmul_rn(float x, float y) { return x * y; }
EMU_FN float __fdiv_rn(float x, float y) { return x / y; }
EMU_FN float __frcp_rn(float x) { return 1.0f / x; }
EMU_FN float __fsqrt_rn(float x) { return sqrtf(x); }
EMU_FN float __frsqrt_rn(float x) { return 1.0f / sqrtf(x); }
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)

// CUDA offers min, max and abs for every pair of arithmetic types.
template <class A, class B> EMU_FN auto min(A a, B b) -> decltype(a + b) {
    using T = decltype(a + b);
    return T(b) < T(a) ? T(b) : T(a);
}
template <class A, class B> EMU_FN auto max(A a, B b) -> decltype(a + b) {
    using T = decltype(a + b);
    return T(a) < T(b) ? T(b) : T(a);
}
EMU_FN int abs(int x) { return x < 0 ? -x : x; }
EMU_FN long abs(long x) { return x < 0 ? -x : x; }
EMU_FN long long abs(long long x) { return x < 0 ? -x : x; }
EMU_FN float abs(float x) { return fabsf(x); }
EMU_FN double abs(double x) { return fabs(x); }
EMU_FN unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
EMU_FN unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }

EMU_FN int __popc(unsigned x) { return __builtin_popcount(x); }
EMU_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
EMU_FN int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
EMU_FN int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
EMU_FN int __ffs(int x) { return __builtin_ffs(x); }
EMU_FN int __ffsll(long long x) { return __builtin_ffsll(x); }
EMU_FN unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
EMU_FN unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
EMU_FN int __mul24(int a, int b) { return int(unsigned(a << 8 >> 8) * unsigned(b << 8 >> 8)); }
EMU_FN unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
EMU_FN int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
EMU_FN unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
EMU_FN unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
    unsigned long long both = (unsigned long long)b << 32 | a;
    unsigned out = 0;
    for (int i = 0; i < 4; i++) {
        unsigned pick = s >> (4 * i);
        unsigned byte = unsigned(both >> (8 * (pick & 7))) & 255;
        if (pick & 8) byte = byte & 128 ? 255 : 0;
        out |= byte << (8 * i);
    }
    return out;
}
EMU_FN unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
    s &= 31;
    return s ? hi << s | lo >> (32 - s) : hi;
}
EMU_FN unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
    s &= 31;
    return s ? lo >> s | hi << (32 - s) : lo;
}
EMU_FN int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
EMU_FN unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
EMU_FN float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
EMU_FN float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
EMU_FN long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
EMU_FN double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
EMU_FN int __float2int_rn(float x) { return int(rintf(x)); }
EMU_FN int __float2int_rz(float x) { return int(x); }
EMU_FN int __float2int_rd(float x) { return int(floorf(x)); }
EMU_FN int __float2int_ru(float x) { return int(ceilf(x)); }
EMU_FN unsigned __float2uint_rn(float x) { return unsigned(rintf(x)); }
EMU_FN unsigned __float2uint_rz(float x) { return unsigned(x); }
EMU_FN float __int2float_rn(int x) { return float(x); }
EMU_FN float __uint2float_rn(unsigned x) { return float(x); }
EMU_FN float __double2float_rn(double x) { return float(x); }

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2u + 1u)
#define LLONG_MAX __LONG_LONG_MAX__
#define CHAR_BIT 8
#define SHRT_MAX __SHRT_MAX__
#define UCHAR_MAX 255
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT32_MAX __INT_MAX__
#define UINT32_MAX (__INT_MAX__ * 2u + 1u)
#define M_PI 3.14159265358979323846
