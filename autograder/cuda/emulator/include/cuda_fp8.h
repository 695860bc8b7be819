// Floating types of 8 bits: see the CUDA Math API, "FP8 Intrinsics". e4m3 has no infinity: what it cannot hold is NaN, or,
// as in all conversions of the types, the largest number.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#pragma push_macro("EMU_DEVICE")  // the host computes with these, too
#undef EMU_DEVICE
#define EMU_DEVICE EMU_BOTH

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

EMU_FN double emu_widen_fp8(unsigned bits, __nv_fp8_interpretation_t kind) {
    if (kind == __NV_E5M2) return emu_widen(bits, 2, 5);
    double v = (bits & 0x7f) == 0x7f ? __builtin_nan("") : emu_widen_finite(bits, 3, 4);
    return bits & 0x80 ? -v : v;
}
EMU_FN unsigned char emu_narrow_fp8(double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    if (x != x) return 0x7f;
    unsigned sign = unsigned(__builtin_bit_cast(unsigned long long, x) >> 63) << 7;
    unsigned most = kind == __NV_E4M3 ? 0x7e : 0x7b, beyond = saturate == __NV_SATFINITE ? most : most + 1;
    bool fits = !__builtin_isinf(x);
    unsigned long long out = !fits ? 0 : kind == __NV_E4M3 ? emu_narrow_finite(x, 3, 4, EMU_RN) : emu_narrow_finite(x, 2, 5, EMU_RN);
    return (unsigned char)(sign | (fits && out <= most ? unsigned(out) : beyond));
}

// ---- conversions ---------------------------------------------------------------------------------------
#define EMU_TO_FP8(name, type)                                                                                   \
    EMU_FN __nv_fp8_storage_t name(type x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {          \
        return emu_narrow_fp8(double(emu_number(x)), saturate, kind);                                            \
    }
EMU_FN double emu_number(double x) { return x; }
EMU_FN double emu_number(__half_raw x) { return emu_widen(x.x, 10, 5); }
EMU_FN double emu_number(__nv_bfloat16_raw x) { return emu_widen(x.x, 7, 8); }
EMU_TO_FP8(__nv_cvt_float_to_fp8, float) EMU_TO_FP8(__nv_cvt_double_to_fp8, double)
EMU_TO_FP8(__nv_cvt_halfraw_to_fp8, __half_raw) EMU_TO_FP8(__nv_cvt_bfloat16raw_to_fp8, __nv_bfloat16_raw)
#undef EMU_TO_FP8
#define EMU_TO_FP8X2(name, type)                                                                                 \
    EMU_FN __nv_fp8x2_storage_t name(type v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {        \
        return (__nv_fp8x2_storage_t)(emu_narrow_fp8(v.x, saturate, kind) | emu_narrow_fp8(v.y, saturate, kind) << 8); \
    }
EMU_TO_FP8X2(__nv_cvt_float2_to_fp8x2, float2) EMU_TO_FP8X2(__nv_cvt_double2_to_fp8x2, double2)
#undef EMU_TO_FP8X2
EMU_FN __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
    return {emu_narrow(emu_widen_fp8(x, kind), 10, 5, EMU_RN)};
}

// ---- the types: one number, two and four ---------------------------------------------------------------
#define EMU_FP8(suffix, kind)                                                                                    \
    struct __nv_fp8_##suffix {                                                                                   \
        __nv_fp8_storage_t __x;                                                                                  \
        __nv_fp8_##suffix() = default;                                                                           \
        EMU_EACH_NUMBER(EMU_FP8_FROM, suffix, kind)                                                              \
        EMU_FP8_FROM(float, suffix, kind) EMU_FP8_FROM(double, suffix, kind)                                     \
        EMU_INLINE explicit __nv_fp8_##suffix(__half v) : __nv_fp8_##suffix(float(v)) {}                         \
        EMU_INLINE explicit __nv_fp8_##suffix(__nv_bfloat16 v) : __nv_fp8_##suffix(float(v)) {}                  \
        EMU_EACH_NUMBER(EMU_FP8_TO, suffix, kind)                                                                \
        EMU_FP8_TO(signed char, suffix, kind) EMU_FP8_TO(unsigned char, suffix, kind) EMU_FP8_TO(char, suffix, kind) \
        EMU_INLINE explicit operator float() const { return float(emu_widen_fp8(__x, kind)); }                   \
        EMU_INLINE explicit operator double() const { return emu_widen_fp8(__x, kind); }                         \
        EMU_INLINE explicit operator __half() const { return __half(float(emu_widen_fp8(__x, kind))); }          \
        EMU_INLINE explicit operator __nv_bfloat16() const { return __nv_bfloat16(float(emu_widen_fp8(__x, kind))); } \
        EMU_INLINE explicit operator bool() const { return (__x & 0x7f) != 0; }                                  \
    };                                                                                                           \
    struct __attribute__((aligned(2))) __nv_fp8x2_##suffix {                                                     \
        __nv_fp8x2_storage_t __x;                                                                                \
        __nv_fp8x2_##suffix() = default;                                                                         \
        EMU_INLINE explicit __nv_fp8x2_##suffix(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind)) {} \
        EMU_INLINE explicit __nv_fp8x2_##suffix(double2 v) : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, kind)) {} \
        EMU_INLINE explicit __nv_fp8x2_##suffix(__half2 v) : __nv_fp8x2_##suffix(__half22float2(v)) {}           \
        EMU_INLINE explicit __nv_fp8x2_##suffix(__nv_bfloat162 v) : __nv_fp8x2_##suffix(__bfloat1622float2(v)) {} \
        EMU_INLINE explicit operator float2() const { return emu_two_fp8(__x, kind); }                           \
        EMU_INLINE explicit operator __half2() const { return __float22half2_rn(emu_two_fp8(__x, kind)); }       \
    };                                                                                                           \
    struct __attribute__((aligned(4))) __nv_fp8x4_##suffix {                                                     \
        __nv_fp8x4_storage_t __x;                                                                                \
        __nv_fp8x4_##suffix() = default;                                                                         \
        EMU_INLINE explicit __nv_fp8x4_##suffix(float4 v)                                                        \
            : __x(emu_join_fp8(__nv_fp8x2_##suffix(float2{v.x, v.y}).__x, __nv_fp8x2_##suffix(float2{v.z, v.w}).__x)) {} \
        EMU_INLINE explicit __nv_fp8x4_##suffix(double4 v)                                                       \
            : __x(emu_join_fp8(__nv_fp8x2_##suffix(double2{v.x, v.y}).__x, __nv_fp8x2_##suffix(double2{v.z, v.w}).__x)) {} \
        EMU_INLINE explicit __nv_fp8x4_##suffix(__half2 low, __half2 high)                                       \
            : __x(emu_join_fp8(__nv_fp8x2_##suffix(low).__x, __nv_fp8x2_##suffix(high).__x)) {}                  \
        EMU_INLINE explicit __nv_fp8x4_##suffix(__nv_bfloat162 low, __nv_bfloat162 high)                         \
            : __x(emu_join_fp8(__nv_fp8x2_##suffix(low).__x, __nv_fp8x2_##suffix(high).__x)) {}                  \
        EMU_INLINE explicit operator float4() const {                                                            \
            float2 low = emu_two_fp8(__x, kind), high = emu_two_fp8(__x >> 16, kind);                            \
            return {low.x, low.y, high.x, high.y};                                                               \
        }                                                                                                        \
    };
#define EMU_EACH_NUMBER(what, ...)                                                                               \
    what(short, __VA_ARGS__) what(unsigned short, __VA_ARGS__) what(int, __VA_ARGS__) what(unsigned, __VA_ARGS__) \
    what(long, __VA_ARGS__) what(unsigned long, __VA_ARGS__) what(long long, __VA_ARGS__) what(unsigned long long, __VA_ARGS__)
#define EMU_FP8_FROM(type, suffix, kind)                                                                         \
    EMU_INLINE explicit __nv_fp8_##suffix(type v) : __x(emu_narrow_fp8(double(v), __NV_SATFINITE, kind)) {}
#define EMU_FP8_TO(type, suffix, kind)                                                                           \
    EMU_INLINE explicit operator type() const { return emu_whole<type>(trunc(emu_widen_fp8(__x, kind)), false); }
EMU_FN float2 emu_two_fp8(unsigned bits, __nv_fp8_interpretation_t kind) {
    return {float(emu_widen_fp8(bits & 255, kind)), float(emu_widen_fp8(bits >> 8 & 255, kind))};
}
EMU_FN unsigned emu_join_fp8(unsigned low, unsigned high) { return low | high << 16; }
EMU_FP8(e4m3, __NV_E4M3)
EMU_FP8(e5m2, __NV_E5M2)
#undef EMU_FP8
#undef EMU_EACH_NUMBER
#undef EMU_FP8_FROM
#undef EMU_FP8_TO
#pragma pop_macro("EMU_DEVICE")
