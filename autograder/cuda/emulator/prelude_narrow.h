// Between double precision and floating types of 8 and 16 bits, in every rounding mode.
#pragma once
#pragma push_macro("EMU_DEVICE")  // the host computes with these, too
#undef EMU_DEVICE
#define EMU_DEVICE EMU_BOTH
#define EMU_JOIN_(a, b) a##b
#define EMU_JOIN(a, b) EMU_JOIN_(a, b)

template <class T> struct emu_narrow_type {};  // has `type` where T is one of these types

// The number without its sign, where none of these bits stand for infinity or NaN.
EMU_FN double emu_widen_finite(unsigned bits, int fraction, int exponent) {
    int e = int(bits >> fraction) & ((1 << exponent) - 1), bias = (1 << (exponent - 1)) - 1;
    double m = double(bits & ((1u << fraction) - 1));
    return e ? ldexp(m + double(1 << fraction), e - bias - fraction) : ldexp(m, 1 - bias - fraction);
}
EMU_FN double emu_widen(unsigned bits, int fraction, int exponent) {
    unsigned top = ((1u << exponent) - 1) << fraction;
    double v = (bits & top) != top               ? emu_widen_finite(bits, fraction, exponent)
               : bits & ((1u << fraction) - 1) ? __builtin_nan("")
                                               : __builtin_inf();
    return bits >> (fraction + exponent) & 1 ? -v : v;
}

// The bits of a finite number without its sign; as if there were no largest one.
EMU_FN unsigned long long emu_narrow_finite(double x, int fraction, int exponent, int mode) {
    unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
    bool sign = bits >> 63;
    int e = int(bits >> 52 & 0x7ff) - 1023, least = 2 - (1 << (exponent - 1)), shift = 52 - fraction;
    unsigned long long m = (bits & ((1ull << 52) - 1)) | (e > -1023 ? 1ull << 52 : 0);
    if (e < least) shift += least - e, e = least;
    if (shift > 63) shift = 63;
    unsigned long long quotient = m >> shift, rest = m & ((1ull << shift) - 1), half = 1ull << (shift - 1);
    bool up = mode == EMU_RN ? rest > half || (rest == half && (quotient & 1)) : mode == EMU_RU ? rest && !sign : mode == EMU_RD && rest && sign;
    // A carry out of the fraction adds one to the exponent, as it should. (The hidden bit is the first exponent.)
    return ((unsigned long long)(e - least) << fraction) + quotient + up;
}
EMU_FN unsigned short emu_narrow(double x, int fraction, int exponent, int mode) {
    bool negative = __builtin_bit_cast(unsigned long long, x) >> 63;
    unsigned sign = unsigned(negative) << 15, infinity = ((1u << exponent) - 1) << fraction;
    if (x != x) return 0x7fff;
    if (__builtin_isinf(x)) return (unsigned short)(sign | infinity);
    unsigned long long out = emu_narrow_finite(x, fraction, exponent, mode);
    if (out >= infinity) {
        bool away = mode == EMU_RN || (mode == EMU_RU && !sign) || (mode == EMU_RD && sign);
        out = away ? infinity : infinity - 1;
    }
    return (unsigned short)(sign | unsigned(out));
}

// a + b in double precision, of which the last bit is set where the sum is not exact: so rounded, it can
// be rounded once more without a second error.
EMU_FN double emu_sum_to_odd(double a, double b) {
    double s = a + b, t = s - a, error = (a - (s - t)) + (b - t);
    if (error == 0.0 || !__builtin_isfinite(s)) return s;
    long long bits = __builtin_bit_cast(long long, s);
    if (!(bits & 1)) bits += (error > 0.0) == (s > 0.0) ? 1 : -1;
    return __builtin_bit_cast(double, bits);
}
#pragma pop_macro("EMU_DEVICE")
