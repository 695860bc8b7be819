// Arithmetic of inline PTX, each as the PTX ISA has it under the instruction's name.
#pragma once

EMU_FN float emu_ptx_ex2(float v) { return exp2f(v); }
EMU_FN float emu_ptx_lg2(float v) { return log2f(v); }
EMU_FN float emu_ptx_rsqrt(float v) { return rsqrtf(v); }
EMU_FN float emu_ptx_tanh(float v) { return tanhf(v); }
EMU_FN float emu_ptx_sin(float v) { return sinf(v); }
EMU_FN float emu_ptx_cos(float v) { return cosf(v); }
template <class T> EMU_FN T emu_ptx_rcp(T v) { return T(1) / v; }
template <class T> EMU_FN T emu_ptx_sqrt(T v) { return sqrt(v); }
template <class T> EMU_FN T emu_ptx_fma(T a, T b, T c) { return fma(a, b, c); }
// A subnormal number as zero, with its sign.
EMU_FN float emu_ftz(float v) { return __builtin_fabsf(v) < 0x1p-126f ? __builtin_copysignf(0.0f, v) : v; }
template <class T> inline constexpr unsigned emu_bit_count = 8 * sizeof(T);
template <class T> inline constexpr bool emu_has_sign = T(-1) < T(0);

// ---- sums, products, and the like -------------------------------------------------------------------------
template <class T> EMU_FN T emu_ptx_add(T a, T b) { return T(a + b); }
template <class T> EMU_FN T emu_ptx_sub(T a, T b) { return T(a - b); }
template <class T> EMU_FN T emu_ptx_mul(T a, T b) { return a * b; }
template <class T> EMU_FN T emu_ptx_mul_lo(T a, T b) { return T(emu_u64(a) * emu_u64(b)); }
template <class T> EMU_FN T emu_ptx_mul_hi(T a, T b) { return T((__int128)a * b >> emu_bit_count<T>); }
template <class W, class T> EMU_FN W emu_ptx_mul_wide(T a, T b) { return W(a) * W(b); }
template <class T> EMU_FN T emu_ptx_mad_lo(T a, T b, T c) { return T(emu_ptx_mul_lo(a, b) + c); }
template <class T> EMU_FN T emu_ptx_mad_hi(T a, T b, T c) { return T(emu_ptx_mul_hi(a, b) + c); }
template <class W, class T> EMU_FN W emu_ptx_mad_wide(T a, T b, W c) { return emu_ptx_mul_wide<W>(a, b) + c; }
template <class T> EMU_FN T emu_ptx_sad(T a, T b, T c) { return T(c + (a < b ? b - a : a - b)); }
// The carry is in a register that all instructions of a statement share.
template <bool TAKES, bool GIVES, class T> EMU_FN T emu_with_carry(T a, T b, bool& carry) {
    unsigned __int128 sum = (unsigned __int128)a + b + (TAKES && carry);
    if (GIVES) carry = sum >> emu_bit_count<T>;
    return T(sum);
}
template <bool TAKES, bool GIVES, class T> EMU_FN T emu_with_borrow(T a, T b, bool& carry) {
    unsigned __int128 taken = (unsigned __int128)b + (TAKES && carry);
    if (GIVES) carry = a < taken;
    return T(a - taken);
}
EMU_FN int emu_ptx_mul24(int a, int b) { return __mul24(a, b); }
EMU_FN unsigned emu_ptx_mul24(unsigned a, unsigned b) { return __umul24(a, b); }
template <class T> EMU_FN T emu_ptx(T v) { return v; }
EMU_FN float emu_ptx_sat(float v) { return __saturatef(v); }
EMU_FN unsigned emu_tf32(float v) { return (__builtin_bit_cast(unsigned, v) + 0x1000) & ~0x1fffu; }
template <class T> EMU_INLINE T emu_ptx_div(T a, T b) { return T(a / b); }
template <class T> EMU_INLINE T emu_ptx_rem(T a, T b) { return T(a % b); }
template <class T> EMU_FN T emu_ptx_abs(T v) {
    if constexpr (__is_floating_point(T)) return __builtin_elementwise_abs(v);
    else return T(v < 0 ? -v : v);
}
template <class T> EMU_FN T emu_ptx_neg(T v) { return T(-v); }
#define EMU_EXTREME(name, sign)                                                                   \
    template <class T> EMU_FN T emu_ptx_##name(T a, T b) {                                        \
        if constexpr (__is_floating_point(T)) return f##name(a, b);                               \
        else return a sign b ? a : b;                                                             \
    }                                                                                             \
    template <class T> EMU_FN T emu_ptx_##name##_NaN(T a, T b) { return a != a || b != b ? T(__builtin_nanf("")) : emu_ptx_##name(a, b); }
EMU_EXTREME(min, <) EMU_EXTREME(max, >)
#undef EMU_EXTREME

// ---- bits -------------------------------------------------------------------------------------------------
template <class T> EMU_FN T emu_ptx_and(T a, T b) { return T(a & b); }
template <class T> EMU_FN T emu_ptx_or(T a, T b) { return T(a | b); }
template <class T> EMU_FN T emu_ptx_xor(T a, T b) { return T(a ^ b); }
EMU_FN bool emu_ptx_mov(bool v) { return v; }
template <class T> EMU_FN T emu_ptx_not(T v) { return T(v ^ T(-1)); }
template <class T> EMU_FN T emu_ptx_shl(T a, unsigned b) { return b < emu_bit_count<T> ? T(a << b) : T(0); }
template <class T> EMU_FN T emu_ptx_shr(T a, unsigned b) {
    if (b >= emu_bit_count<T>) return T(emu_has_sign<T> && a < 0 ? -1 : 0);
    return T(a >> b);
}
EMU_FN unsigned emu_ptx_popc(emu_u64 v) { return unsigned(__popcll(v)); }
template <class T> EMU_FN unsigned emu_ptx_clz(T v) { return unsigned(__clzll((long long)v)) - (64 - emu_bit_count<T>); }
EMU_FN emu_u32 emu_ptx_brev(emu_u32 v) { return __brev(v); }
EMU_FN emu_u64 emu_ptx_brev(emu_u64 v) { return __brevll(v); }
template <class T> EMU_FN unsigned emu_ptx_bfind(T v) {
    emu_u64 bits = emu_u64(v) ^ (v < T(0) ? ~0ul : 0ul);
    return 63u - unsigned(__clzll((long long)bits));
}
template <class T> EMU_FN unsigned emu_ptx_bfind_shiftamt(T v) {
    unsigned at = emu_ptx_bfind(v);
    return at == ~0u ? at : emu_bit_count<T> - 1 - at;
}
template <class T> EMU_FN T emu_ptx_bfe(T a, unsigned b, unsigned c) {
    unsigned length = c & 255, left = emu_bit_count<T> - length;
    T shifted = emu_ptx_shr(a, b & 255);
    if (length == 0) return T(0);
    return length >= emu_bit_count<T> ? shifted : T(T(shifted << left) >> left);
}
template <class T> EMU_FN T emu_ptx_bfi(T a, T b, unsigned c, unsigned d) {
    T field = emu_ptx_shl(T(~emu_ptx_shl(T(-1), d & 255)), c & 255);
    return (b & ~field) | (emu_ptx_shl(a, c & 255) & field);
}
template <unsigned TABLE> EMU_FN unsigned emu_lop3(unsigned a, unsigned b, unsigned c) {
    unsigned out = 0;
    for (unsigned i = 0; i < 8; i++)
        if ((TABLE >> i) & 1) out |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return out;
}
// Which byte of b and a becomes byte `i`.
#define EMU_PRMT(name, byte)                                                                      \
    EMU_FN unsigned emu_ptx_prmt##name(unsigned a, unsigned b, unsigned selector) {               \
        unsigned out = 0;                                                                         \
        for (unsigned i = 0; i < 4; i++) {                                                        \
            [[maybe_unused]] unsigned s = selector & 3;                                           \
            unsigned from = (byte), bits = __byte_perm(a, b, from);                               \
            out |= (from & 8 ? (bits & 0x80 ? 0xff : 0) : bits & 0xff) << (8 * i);                \
        }                                                                                         \
        return out;                                                                               \
    }
EMU_PRMT(, selector >> 4 * i & 15) EMU_PRMT(_f4e, s + i) EMU_PRMT(_b4e, (s - i) & 7) EMU_PRMT(_rc8, s)
EMU_PRMT(_ecl, i < s ? s : i) EMU_PRMT(_ecr, i < s ? i : s) EMU_PRMT(_rc16, (s & 1) * 2 + (i & 1))
#undef EMU_PRMT
EMU_FN unsigned emu_ptx_vabsdiff4(unsigned a, unsigned b, unsigned c) { return __vsadu4(a, b) + c; }

// ---- comparisons: with NaN, those on the left are false, and those on the right true ------------------------
#define EMU_COMPARISON(name, expr, otherwise)                                                     \
    template <class T> EMU_FN bool emu_ptx_##name(T a, T b) { return expr; }                      \
    template <class T> EMU_FN bool emu_ptx_##otherwise(T a, T b) { return !(expr); }
EMU_COMPARISON(eq, a == b, neu) EMU_COMPARISON(ne, a < b || a > b, equ) EMU_COMPARISON(lt, a < b, geu)
EMU_COMPARISON(le, a <= b, gtu) EMU_COMPARISON(gt, a > b, leu) EMU_COMPARISON(ge, a >= b, ltu)
EMU_COMPARISON(num, a == a && b == b, nan)
#undef EMU_COMPARISON
#define EMU_EITHER(name, sign) EMU_FN EmuTwo<bool> emu_either_##name(bool holds, bool other) { return {bool(holds sign other), bool(!holds sign other)}; }
EMU_EITHER(and, &) EMU_EITHER(or, |) EMU_EITHER(xor, ^)
#undef EMU_EITHER
template <class T> EMU_FN bool emu_testp_finite(T v) { return __builtin_isfinite(v); }
template <class T> EMU_FN bool emu_testp_infinite(T v) { return __builtin_isinf(v); }
template <class T> EMU_FN bool emu_testp_number(T v) { return v == v; }
template <class T> EMU_FN bool emu_testp_notanumber(T v) { return v != v; }
template <class T> EMU_FN bool emu_testp_normal(T v) { return __builtin_isnormal(v); }
template <class T> EMU_FN bool emu_testp_subnormal(T v) { return __builtin_isfinite(v) && v != T(0) && !__builtin_isnormal(v); }
template <class T> EMU_FN T emu_ptx_selp(T a, T b, bool p) { return p ? a : b; }

// ---- conversions ------------------------------------------------------------------------------------------
EMU_FN double emu_ptx_rni(double v) { return rint(v); }
EMU_FN double emu_ptx_rzi(double v) { return trunc(v); }
EMU_FN double emu_ptx_rmi(double v) { return floor(v); }
EMU_FN double emu_ptx_rpi(double v) { return ceil(v); }
// The nearest number that the type has.
template <class D, class S> EMU_FN D emu_saturated(S v) {
    constexpr D top = D(D(1) << (emu_bit_count<D> - 1)), least = emu_has_sign<D> ? top : D(0), most = D(~least);
    return (__int128)v < least ? least : (__int128)v > most ? most : D(v);
}
// ---- approximations of numbers of 16 bits, of the bits of one number, and of two -------------------------
#define EMU_APPROXIMATION(name, expr)                                                             \
    template <int FRACTION, int EXPONENT> EMU_FN unsigned emu_half_##name(unsigned bits) {        \
        double a = emu_widen((unsigned short)bits, FRACTION, EXPONENT);                           \
        return emu_narrow(expr, FRACTION, EXPONENT, EMU_RN);                                      \
    }                                                                                             \
    template <int FRACTION, int EXPONENT> EMU_FN unsigned emu_two_##name(unsigned bits) {         \
        return emu_half_##name<FRACTION, EXPONENT>(bits) | emu_half_##name<FRACTION, EXPONENT>(bits >> 16) << 16; \
    }
EMU_APPROXIMATION(ex2, exp2(a)) EMU_APPROXIMATION(tanh, tanh(a))
#undef EMU_APPROXIMATION
// Arithmetic on one number of 16 bits, or on two side by side.
#define EMU_HALVES(name, expr)                                                                    \
    template <int FRACTION, int EXPONENT, class R, class... More> EMU_FN R emu_halves_##name(R first, More... more) { \
        unsigned out = 0;                                                                         \
        for (unsigned i = 0; i < 8 * sizeof(R); i += 16) {                                        \
            const double x[3] = {emu_widen((unsigned short)(first >> i), FRACTION, EXPONENT),      \
                                 emu_widen((unsigned short)(more >> i), FRACTION, EXPONENT)...};   \
            out |= unsigned(emu_narrow(expr, FRACTION, EXPONENT, EMU_RN)) << i;                   \
        }                                                                                         \
        return R(out);                                                                            \
    }
EMU_HALVES(add, x[0] + x[1]) EMU_HALVES(sub, x[0] - x[1]) EMU_HALVES(mul, x[0] * x[1])
EMU_HALVES(min, fmin(x[0], x[1])) EMU_HALVES(max, fmax(x[0], x[1])) EMU_HALVES(neg, -x[0]) EMU_HALVES(abs, fabs(x[0]))
EMU_HALVES(fma, emu_sum_to_odd(x[0] * x[1], x[2]))
#undef EMU_HALVES
// Numbers with FRACTION bits of fraction: one in each register, or two of 16 bits.
template <int FRACTION, int EXPONENT, class R, unsigned N>
EMU_CALL EmuRegistersOf<R, N> emu_atom_add_each(unsigned long at, int scope, bool acquires, bool releases, EmuRegistersOf<R, N> v) {
    auto* to = (EmuRegistersOf<R, N>*)at;
    emu_atomic_elements(FRACTION == 23 ? 4 : 2);
    emu_atomic(to, sizeof v, scope, EMU_SITE);
    EmuRegistersOf<R, N> old = *to;
    for (unsigned i = 0; i < N; i++) {
        if constexpr (FRACTION == 23) to->emu_x[i] = old.emu_x[i] + v.emu_x[i];
        else to->emu_x[i] = emu_halves_add<FRACTION, EXPONENT>(old.emu_x[i], v.emu_x[i]);
    }
    emu_order(to, scope, acquires, releases);
    return old;
}
