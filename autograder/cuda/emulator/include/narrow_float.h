// A floating type of 16 bits and its pair, for cuda_fp16.h and cuda_bf16.h, which define:
//   EMU_T, EMU_T2, EMU_RAW_BITS: the type, its pair, its bits;  EMU_FRACTION, EMU_EXPONENT: bits of each part;
//   EMU_2(to), EMU_FROM(from): a conversion's name to and from the type.
// Arithmetic is done in double precision and rounded once, which is exact rounding: a double has more than
// twice the bits and two more. Functions that read or write through a pointer or a reference are EMU_INLINE.

struct EMU_T;
template <> struct emu_narrow_type<EMU_T> { using type = EMU_T; };
EMU_FN double EMU_P(emu_wide)(unsigned short bits) { return emu_widen(bits, EMU_FRACTION, EMU_EXPONENT); }
EMU_FN unsigned short EMU_P(emu_bits_of)(double x, int mode = EMU_RN) { return emu_narrow(x, EMU_FRACTION, EMU_EXPONENT, mode); }

struct __attribute__((aligned(2))) EMU_RAW_BITS { unsigned short x; };
struct __attribute__((aligned(2))) EMU_T {
    unsigned short __x;
    EMU_T() = default;
    EMU_INLINE EMU_T(EMU_RAW_BITS bits) : __x(bits.x) {}
    EMU_INLINE operator EMU_RAW_BITS() const { return {__x}; }
    EMU_INLINE operator EMU_RAW_BITS() const volatile { return {__x}; }
    template <class Other> EMU_INLINE explicit EMU_T(Other v, typename emu_narrow_type<Other>::type* = nullptr) : EMU_T(float(v)) {}
#define EMU_FROM_NUMBER(type)                                                                     \
    EMU_INLINE EMU_T(type v) : __x(EMU_P(emu_bits_of)(double(v))) {}                              \
    EMU_INLINE EMU_T& operator=(type v) { __x = EMU_P(emu_bits_of)(double(v)); return *this; }
    EMU_FROM_NUMBER(float) EMU_FROM_NUMBER(double) EMU_FROM_NUMBER(short) EMU_FROM_NUMBER(unsigned short)
    EMU_FROM_NUMBER(int) EMU_FROM_NUMBER(unsigned) EMU_FROM_NUMBER(long long) EMU_FROM_NUMBER(unsigned long long)
#undef EMU_FROM_NUMBER
    EMU_INLINE EMU_T(long v) : __x(EMU_P(emu_bits_of)(double(v))) {}
    EMU_INLINE EMU_T(unsigned long v) : __x(EMU_P(emu_bits_of)(double(v))) {}
    EMU_INLINE operator float() const { return float(EMU_P(emu_wide)(__x)); }
    EMU_INLINE operator bool() const { return (__x & 0x7fff) != 0; }
#define EMU_TO_NUMBER(type) EMU_INLINE operator type() const { return emu_whole<type>(trunc(EMU_P(emu_wide)(__x)), false); }
    EMU_TO_NUMBER(signed char) EMU_TO_NUMBER(unsigned char) EMU_TO_NUMBER(char) EMU_TO_NUMBER(short) EMU_TO_NUMBER(unsigned short)
    EMU_TO_NUMBER(int) EMU_TO_NUMBER(unsigned) EMU_TO_NUMBER(long) EMU_TO_NUMBER(unsigned long)
    EMU_TO_NUMBER(long long) EMU_TO_NUMBER(unsigned long long)
#undef EMU_TO_NUMBER
};
struct __attribute__((aligned(4))) EMU_T2 {
    EMU_T x, y;
    EMU_T2() = default;
    EMU_INLINE EMU_T2(EMU_T a, EMU_T b) : x(a), y(b) {}
};
template <> inline constexpr bool emu_is_exchanged<EMU_T> = true;
template <> inline constexpr bool emu_is_exchanged<EMU_T2> = true;

EMU_FN double EMU_P(emu_of)(EMU_T v) { return emu_widen(v.__x, EMU_FRACTION, EMU_EXPONENT); }
EMU_FN EMU_T EMU_P(emu_make)(double v, int mode = EMU_RN) {
    EMU_T out;
    out.__x = emu_narrow(v, EMU_FRACTION, EMU_EXPONENT, mode);
    return out;
}
EMU_FN EMU_T2 EMU_P(emu_pair)(EMU_T a, EMU_T b) {
    EMU_T2 out;
    out.x = a, out.y = b;
    return out;
}
#define EMU_OF EMU_P(emu_of)
#define EMU_MAKE EMU_P(emu_make)
#define EMU_PAIR EMU_P(emu_pair)

// ---- conversions ---------------------------------------------------------------------------------------
EMU_FN EMU_T EMU_2(__float2)(float v) { return EMU_MAKE(v); }
EMU_FN EMU_T EMU_2(__double2)(double v) { return EMU_MAKE(v); }
EMU_FN float EMU_FROM(2float)(EMU_T v) { return float(EMU_OF(v)); }
#define EMU_MODES(what, ...) what(__VA_ARGS__, _rn, EMU_RN, rint) what(__VA_ARGS__, _rz, EMU_RZ, trunc)   \
    what(__VA_ARGS__, _ru, EMU_RU, ceil) what(__VA_ARGS__, _rd, EMU_RD, floor)
#define EMU_INTO(type, name, mode, value, whole) EMU_FN EMU_T EMU_JOIN(EMU_2(name), mode)(type v) { return EMU_MAKE(double(v), value); }
#define EMU_OUT_OF(type, name, mode, value, whole)                                                \
    EMU_FN type EMU_JOIN(EMU_FROM(name), mode)(EMU_T v) { return emu_whole<type>(whole(EMU_OF(v)), false); }
EMU_MODES(EMU_INTO, float, __float2) EMU_MODES(EMU_INTO, int, __int2) EMU_MODES(EMU_INTO, unsigned, __uint2)
EMU_MODES(EMU_INTO, short, __short2) EMU_MODES(EMU_INTO, unsigned short, __ushort2)
EMU_MODES(EMU_INTO, long long, __ll2) EMU_MODES(EMU_INTO, unsigned long long, __ull2)
EMU_MODES(EMU_OUT_OF, int, 2int) EMU_MODES(EMU_OUT_OF, unsigned, 2uint) EMU_MODES(EMU_OUT_OF, short, 2short)
EMU_MODES(EMU_OUT_OF, unsigned short, 2ushort) EMU_MODES(EMU_OUT_OF, long long, 2ll) EMU_MODES(EMU_OUT_OF, unsigned long long, 2ull)
EMU_FN signed char EMU_JOIN(EMU_FROM(2char), _rz)(EMU_T v) { return emu_whole<signed char>(trunc(EMU_OF(v)), false); }
EMU_FN unsigned char EMU_JOIN(EMU_FROM(2uchar), _rz)(EMU_T v) { return emu_whole<unsigned char>(trunc(EMU_OF(v)), false); }
#undef EMU_INTO
#undef EMU_OUT_OF
#undef EMU_MODES
EMU_FN short EMU_FROM(_as_short)(EMU_T v) { return short(v.__x); }
EMU_FN unsigned short EMU_FROM(_as_ushort)(EMU_T v) { return v.__x; }
EMU_FN EMU_T EMU_2(__short_as_)(short v) { EMU_T out; out.__x = (unsigned short)v; return out; }
EMU_FN EMU_T EMU_2(__ushort_as_)(unsigned short v) { EMU_T out; out.__x = v; return out; }
EMU_FN EMU_T2 EMU_22(__floats2, _rn)(float a, float b) { return EMU_PAIR(EMU_MAKE(a), EMU_MAKE(b)); }
EMU_FN EMU_T2 EMU_22(__float2, _rn)(float v) { return EMU_PAIR(EMU_MAKE(v), EMU_MAKE(v)); }
EMU_FN EMU_T2 EMU_22(__float22, _rn)(float2 v) { return EMU_PAIR(EMU_MAKE(v.x), EMU_MAKE(v.y)); }
EMU_FN EMU_T2 EMU_22(__halves2, )(EMU_T a, EMU_T b) { return EMU_PAIR(a, b); }
EMU_FN EMU_T2 EMU_22(EMU_FROM(2), )(EMU_T v) { return EMU_PAIR(v, v); }
EMU_FN float2 EMU_FROM(22float2)(EMU_T2 v) { return {float(EMU_OF(v.x)), float(EMU_OF(v.y))}; }
EMU_FN float __low2float(EMU_T2 v) { return float(EMU_OF(v.x)); }
EMU_FN float __high2float(EMU_T2 v) { return float(EMU_OF(v.y)); }
EMU_FN EMU_T EMU_2(__low2)(EMU_T2 v) { return v.x; }
EMU_FN EMU_T EMU_2(__high2)(EMU_T2 v) { return v.y; }
EMU_FN EMU_T2 EMU_22(__low2, )(EMU_T2 v) { return EMU_PAIR(v.x, v.x); }
EMU_FN EMU_T2 EMU_22(__high2, )(EMU_T2 v) { return EMU_PAIR(v.y, v.y); }
EMU_FN EMU_T2 EMU_22(__lows2, )(EMU_T2 a, EMU_T2 b) { return EMU_PAIR(a.x, b.x); }
EMU_FN EMU_T2 EMU_22(__highs2, )(EMU_T2 a, EMU_T2 b) { return EMU_PAIR(a.y, b.y); }
EMU_FN EMU_T2 __lowhigh2highlow(EMU_T2 v) { return EMU_PAIR(v.y, v.x); }

// ---- arithmetic, each also for the two lanes of a pair ------------------------------------------------
EMU_FN EMU_T EMU_P(emu_sat)(double v) { return EMU_MAKE(v > 1.0 ? 1.0 : v > 0.0 ? v : 0.0); }
#define EMU_BINARY(name, expr, make)                                                              \
    EMU_FN EMU_T name(EMU_T p, EMU_T q) { double a = EMU_OF(p), b = EMU_OF(q); return make(expr); }
#define EMU_LANES2(name, lane) EMU_FN EMU_T2 name(EMU_T2 p, EMU_T2 q) { return EMU_PAIR(lane(p.x, q.x), lane(p.y, q.y)); }
EMU_BINARY(__hadd, a + b, EMU_MAKE) EMU_BINARY(__hsub, a - b, EMU_MAKE) EMU_BINARY(__hmul, a * b, EMU_MAKE) EMU_BINARY(__hdiv, a / b, EMU_MAKE)
EMU_BINARY(__hadd_rn, a + b, EMU_MAKE) EMU_BINARY(__hsub_rn, a - b, EMU_MAKE) EMU_BINARY(__hmul_rn, a * b, EMU_MAKE)
EMU_BINARY(__hadd_sat, a + b, EMU_P(emu_sat)) EMU_BINARY(__hsub_sat, a - b, EMU_P(emu_sat)) EMU_BINARY(__hmul_sat, a * b, EMU_P(emu_sat))
EMU_BINARY(__hmax, fmax(a, b), EMU_MAKE) EMU_BINARY(__hmin, fmin(a, b), EMU_MAKE)
EMU_BINARY(__hmax_nan, a != a || b != b ? a + b : fmax(a, b), EMU_MAKE) EMU_BINARY(__hmin_nan, a != a || b != b ? a + b : fmin(a, b), EMU_MAKE)
EMU_LANES2(__hadd2, __hadd) EMU_LANES2(__hsub2, __hsub) EMU_LANES2(__hmul2, __hmul) EMU_LANES2(__h2div, __hdiv)
EMU_LANES2(__hadd2_rn, __hadd) EMU_LANES2(__hsub2_rn, __hsub) EMU_LANES2(__hmul2_rn, __hmul)
EMU_LANES2(__hadd2_sat, __hadd_sat) EMU_LANES2(__hsub2_sat, __hsub_sat) EMU_LANES2(__hmul2_sat, __hmul_sat)
EMU_LANES2(__hmax2, __hmax) EMU_LANES2(__hmin2, __hmin) EMU_LANES2(__hmax2_nan, __hmax_nan) EMU_LANES2(__hmin2_nan, __hmin_nan)
#undef EMU_BINARY
#undef EMU_LANES2
EMU_FN EMU_T __hfma(EMU_T p, EMU_T q, EMU_T r) { return EMU_MAKE(emu_sum_to_odd(EMU_OF(p) * EMU_OF(q), EMU_OF(r))); }
EMU_FN EMU_T __hfma_sat(EMU_T p, EMU_T q, EMU_T r) { return EMU_P(emu_sat)(emu_sum_to_odd(EMU_OF(p) * EMU_OF(q), EMU_OF(r))); }
EMU_FN EMU_T __hfma_relu(EMU_T p, EMU_T q, EMU_T r) {
    double v = emu_sum_to_odd(EMU_OF(p) * EMU_OF(q), EMU_OF(r));
    return EMU_MAKE(v < 0.0 ? 0.0 : v);
}
#define EMU_LANES3(name, lane)                                                                    \
    EMU_FN EMU_T2 name(EMU_T2 p, EMU_T2 q, EMU_T2 r) { return EMU_PAIR(lane(p.x, q.x, r.x), lane(p.y, q.y, r.y)); }
EMU_LANES3(__hfma2, __hfma) EMU_LANES3(__hfma2_sat, __hfma_sat) EMU_LANES3(__hfma2_relu, __hfma_relu)
#undef EMU_LANES3
EMU_FN EMU_T __hneg(EMU_T v) { v.__x ^= 0x8000; return v; }
EMU_FN EMU_T __habs(EMU_T v) { v.__x &= 0x7fff; return v; }
EMU_FN EMU_T2 __hneg2(EMU_T2 v) { return EMU_PAIR(__hneg(v.x), __hneg(v.y)); }
EMU_FN EMU_T2 __habs2(EMU_T2 v) { return EMU_PAIR(__habs(v.x), __habs(v.y)); }

// ---- comparisons: `u` is true where an operand is NaN ---------------------------------------------------
#define EMU_COMPARE(name, op)                                                                     \
    EMU_FN bool __h##name(EMU_T p, EMU_T q) { double a = EMU_OF(p), b = EMU_OF(q); return a == a && b == b && a op b; }   \
    EMU_FN bool __h##name##u(EMU_T p, EMU_T q) { double a = EMU_OF(p), b = EMU_OF(q); return a != a || b != b || a op b; } \
    EMU_COMPARE2(__h##name, 2) EMU_COMPARE2(__h##name##u, 2)                                      \
    EMU_FN bool __hb##name##2(EMU_T2 p, EMU_T2 q) { return __h##name(p.x, q.x) && __h##name(p.y, q.y); }        \
    EMU_FN bool __hb##name##u2(EMU_T2 p, EMU_T2 q) { return __h##name##u(p.x, q.x) && __h##name##u(p.y, q.y); }
#define EMU_COMPARE2(name, two)                                                                   \
    EMU_FN EMU_T2 name##two(EMU_T2 p, EMU_T2 q) { return EMU_PAIR(EMU_MAKE(name(p.x, q.x)), EMU_MAKE(name(p.y, q.y))); } \
    EMU_FN unsigned name##two##_mask(EMU_T2 p, EMU_T2 q) { return (name(p.x, q.x) ? 0xffffu : 0u) | (name(p.y, q.y) ? 0xffff0000u : 0u); }
EMU_COMPARE(eq, ==) EMU_COMPARE(ne, !=) EMU_COMPARE(lt, <) EMU_COMPARE(le, <=) EMU_COMPARE(gt, >) EMU_COMPARE(ge, >=)
#undef EMU_COMPARE
#undef EMU_COMPARE2
EMU_FN bool __hisnan(EMU_T v) { return EMU_OF(v) != EMU_OF(v); }
EMU_FN int __hisinf(EMU_T v) { double a = EMU_OF(v); return __builtin_isinf(a) ? (a > 0.0 ? 1 : -1) : 0; }
EMU_FN EMU_T2 __hisnan2(EMU_T2 v) { return EMU_PAIR(EMU_MAKE(__hisnan(v.x)), EMU_MAKE(__hisnan(v.y))); }

// ---- functions -------------------------------------------------------------------------------------------
#define EMU_FUNCTION(name, expr)                                                                  \
    EMU_FN EMU_T h##name(EMU_T v) { double a = EMU_OF(v); return EMU_MAKE(expr); }                \
    EMU_FN EMU_T2 h2##name(EMU_T2 v) { return EMU_PAIR(h##name(v.x), h##name(v.y)); }
EMU_FUNCTION(ceil, ceil(a)) EMU_FUNCTION(floor, floor(a)) EMU_FUNCTION(rint, rint(a)) EMU_FUNCTION(trunc, trunc(a))
EMU_FUNCTION(sqrt, sqrt(a)) EMU_FUNCTION(rsqrt, 1.0 / sqrt(a)) EMU_FUNCTION(rcp, 1.0 / a) EMU_FUNCTION(exp, exp(a))
EMU_FUNCTION(exp2, exp2(a)) EMU_FUNCTION(exp10, exp10(a)) EMU_FUNCTION(log, log(a)) EMU_FUNCTION(log2, log2(a))
EMU_FUNCTION(log10, log10(a)) EMU_FUNCTION(sin, sin(a)) EMU_FUNCTION(cos, cos(a)) EMU_FUNCTION(tanh, tanh(a))
EMU_FUNCTION(tanh_approx, tanh(a))
#undef EMU_FUNCTION

// ---- operators ---------------------------------------------------------------------------------------------
#define EMU_OPERATOR(op, function, two)                                                                \
    EMU_FN EMU_T operator op(EMU_T a, EMU_T b) { return function(a, b); }                              \
    EMU_FN EMU_T2 operator op(EMU_T2 a, EMU_T2 b) { return two(a, b); }                           \
    EMU_INLINE EMU_T& operator op##=(EMU_T& a, EMU_T b) { a = function(a, b); return a; }              \
    EMU_INLINE EMU_T2& operator op##=(EMU_T2& a, EMU_T2 b) { a = two(a, b); return a; }
EMU_OPERATOR(+, __hadd, __hadd2) EMU_OPERATOR(-, __hsub, __hsub2) EMU_OPERATOR(*, __hmul, __hmul2) EMU_OPERATOR(/, __hdiv, __h2div)
#undef EMU_OPERATOR
EMU_FN EMU_T operator+(EMU_T a) { return a; }
EMU_FN EMU_T operator-(EMU_T a) { return __hneg(a); }
EMU_FN EMU_T2 operator+(EMU_T2 a) { return a; }
EMU_FN EMU_T2 operator-(EMU_T2 a) { return __hneg2(a); }
EMU_INLINE EMU_T& operator++(EMU_T& a) { a = __hadd(a, EMU_MAKE(1.0)); return a; }
EMU_INLINE EMU_T& operator--(EMU_T& a) { a = __hsub(a, EMU_MAKE(1.0)); return a; }
EMU_INLINE EMU_T operator++(EMU_T& a, int) { EMU_T old = a; a = __hadd(old, EMU_MAKE(1.0)); return old; }
EMU_INLINE EMU_T operator--(EMU_T& a, int) { EMU_T old = a; a = __hsub(old, EMU_MAKE(1.0)); return old; }
#define EMU_OPERATOR(op, name)                                                                    \
    EMU_FN bool operator op(EMU_T a, EMU_T b) { return name(a, b); }                              \
    EMU_FN bool operator op(EMU_T2 a, EMU_T2 b) { return name(a.x, b.x) && name(a.y, b.y); }
EMU_OPERATOR(==, __heq) EMU_OPERATOR(!=, __hneu) EMU_OPERATOR(<, __hlt) EMU_OPERATOR(<=, __hle) EMU_OPERATOR(>, __hgt) EMU_OPERATOR(>=, __hge)
#undef EMU_OPERATOR

// ---- atomics -----------------------------------------------------------------------------------------------
#ifdef __CUDA__
EMU_CALL EMU_T atomicAdd(EMU_T* address, EMU_T v) {
    emu_atomic(address, sizeof v, EMU_SCOPE_DEVICE, EMU_SITE);
    EMU_T old = *address;
    *address = __hadd(old, v);
    return old;
}
EMU_CALL EMU_T2 atomicAdd(EMU_T2* address, EMU_T2 v) {
    emu_atomic_elements(sizeof v.x);
    emu_atomic(address, sizeof v, EMU_SCOPE_DEVICE, EMU_SITE);
    EMU_T2 old = *address;
    *address = __hadd2(old, v);
    return old;
}
#endif
#undef EMU_OF
#undef EMU_MAKE
#undef EMU_PAIR
#undef EMU_T
#undef EMU_T2
#undef EMU_RAW_BITS
#undef EMU_FRACTION
#undef EMU_EXPONENT
#undef EMU_P
#undef EMU_2
#undef EMU_22
#undef EMU_FROM
