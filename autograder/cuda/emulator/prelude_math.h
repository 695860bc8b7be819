// CUDA's mathematical functions, on the C library's and the compiler's own. What the C library lacks is
// computed in double precision here.
#pragma once

// The overloads are those of NVRTC, no more: an integer argument is as ambiguous here as there.
#define EMU_M1(name)                                                                              \
    EMU_LIBRARY double name(double);                                                               \
    EMU_LIBRARY float name##f(float);                                                              \
    EMU_OF_LIBRARY float name(float x) { return name##f(x); }
#define EMU_M2(name)                                                                              \
    EMU_LIBRARY double name(double, double);                                                       \
    EMU_LIBRARY float name##f(float, float);                                                       \
    EMU_OF_LIBRARY float name(float x, float y) { return name##f(x, y); }
EMU_M1(sin) EMU_M1(cos) EMU_M1(tan) EMU_M1(asin) EMU_M1(acos) EMU_M1(atan)
EMU_M1(sinh) EMU_M1(cosh) EMU_M1(tanh) EMU_M1(asinh) EMU_M1(acosh) EMU_M1(atanh)
EMU_M1(exp) EMU_M1(exp2) EMU_M1(exp10) EMU_M1(expm1) EMU_M1(log) EMU_M1(log2) EMU_M1(log10) EMU_M1(log1p)
EMU_M1(sqrt) EMU_M1(cbrt) EMU_M1(erf) EMU_M1(erfc) EMU_M1(tgamma) EMU_M1(lgamma) EMU_M1(logb)
EMU_M1(floor) EMU_M1(ceil) EMU_M1(trunc) EMU_M1(round) EMU_M1(rint) EMU_M1(nearbyint) EMU_M1(fabs)
EMU_M1(j0) EMU_M1(j1) EMU_M1(y0) EMU_M1(y1)
EMU_M2(pow) EMU_M2(atan2) EMU_M2(fmod) EMU_M2(hypot) EMU_M2(copysign) EMU_M2(remainder)
EMU_M2(fdim) EMU_M2(nextafter)
#undef EMU_M1
#undef EMU_M2
// -0 is less than +0 (PTX ISA, "min"), which the C library leaves open.
#define EMU_LEAST(name, as)                                                                       \
    EMU_FN double name(double x, double y) { return as(x, y); }                                   \
    EMU_FN float name##f(float x, float y) { return as(x, y); }                                   \
    EMU_FN float name(float x, float y) { return as(x, y); }
EMU_LEAST(fmin, __builtin_elementwise_minimumnum) EMU_LEAST(fmax, __builtin_elementwise_maximumnum)
#undef EMU_LEAST
// With an integer beside the argument, or for a result.
#define EMU_C(type, name, ...) EMU_LIBRARY type name(__VA_ARGS__);
EMU_C(double, fma, double, double, double) EMU_C(float, fmaf, float, float, float)
EMU_C(double, ldexp, double, int) EMU_C(float, ldexpf, float, int)
EMU_C(double, scalbn, double, int) EMU_C(float, scalbnf, float, int)
EMU_C(double, scalbln, double, long) EMU_C(float, scalblnf, float, long)
EMU_C(double, jn, int, double) EMU_C(float, jnf, int, float) EMU_C(double, yn, int, double) EMU_C(float, ynf, int, float)
EMU_C(int, ilogb, double) EMU_C(int, ilogbf, float)
#undef EMU_C
EMU_FN float fma(float x, float y, float z) { return fmaf(x, y, z); }
EMU_FN float ldexp(float x, int n) { return ldexpf(x, n); }
EMU_FN float scalbn(float x, int n) { return scalbnf(x, n); }
EMU_FN float scalbln(float x, long n) { return scalblnf(x, n); }
EMU_FN int ilogb(float x) { return ilogbf(x); }
// A conversion gives the nearest value that the type has, as on a GPU.
#define EMU_WHOLE(type, name, as) EMU_FN type name(double x) { return (type)as(x); }              \
    EMU_FN type name(float x) { return (type)as(x); }                                             \
    EMU_FN type name##f(float x) { return (type)as(x); }
EMU_WHOLE(long, lrint, rint) EMU_WHOLE(long, lround, round)
EMU_WHOLE(long long, llrint, rint) EMU_WHOLE(long long, llround, round)
#undef EMU_WHOLE

#ifdef EMU_HOSTED
// In a program, <cmath> has a power of any two numbers, which is a double. NVRTC has none, for a kernel alone.
template <class A, class B, EMU_IF(__is_arithmetic(A) && __is_arithmetic(B))> EMU_FN double pow(A x, B y) {
    return pow(double(x), double(y));
}
#endif

#pragma push_macro("EMU_DEVICE")  // a program's host has these, too
#undef EMU_DEVICE
#define EMU_DEVICE EMU_BOTH
// ---- functions that are CUDA's own: the formula for a double, and the same for a float ----------------
#define EMU_COMPUTED1(name, expr)                                                                      \
    EMU_FN double name(double x) { return expr; }                                                 \
    EMU_FN float name##f(float f) { double x = f; return float(expr); }                           \
    EMU_FN float name(float x) { return name##f(x); }
#define EMU_COMPUTED2(name, expr)                                                                      \
    EMU_FN double name(double x, double y) { return expr; }                                       \
    EMU_FN float name##f(float f, float g) { double x = f, y = g; return float(expr); }           \
    EMU_FN float name(float x, float y) { return name##f(x, y); }
// x reduced to (-1, 1], exactly, so that whole and half numbers give exact results.
EMU_FN double emu_half_turns(double x) { return x - 2.0 * rint(x * 0.5); }
EMU_FN double emu_sinpi(double x) {
    if (!__builtin_isfinite(x)) return x - x;
    double r = emu_half_turns(x), a = fabs(r);
    if (a == 0.0 || a == 1.0) return copysign(0.0, x);
    double s = a <= 0.25 ? sin(__builtin_fabs(a) * 3.14159265358979323846)
             : a <= 0.75 ? cos((0.5 - a) * 3.14159265358979323846) : sin((1.0 - a) * 3.14159265358979323846);
    return r < 0.0 ? -s : s;
}
EMU_FN double emu_cospi(double x) {
    if (!__builtin_isfinite(x)) return x - x;
    double a = fabs(emu_half_turns(x));
    return a <= 0.25 ? cos(a * 3.14159265358979323846)
         : a <= 0.75 ? sin((0.5 - a) * 3.14159265358979323846) : -cos((1.0 - a) * 3.14159265358979323846);
}
EMU_COMPUTED1(sinpi, emu_sinpi(x)) EMU_COMPUTED1(cospi, emu_cospi(x))
EMU_COMPUTED1(rsqrt, 1.0 / sqrt(x)) EMU_COMPUTED1(rcbrt, 1.0 / cbrt(x)) EMU_COMPUTED2(rhypot, 1.0 / hypot(x, y))
EMU_COMPUTED2(fdivide, x / y)

// Scaled, so that the squares neither overflow nor vanish.
EMU_FN double emu_norm(double a, double b, double c, double d) {
    double most = fmax(fmax(fabs(a), fabs(b)), fmax(fabs(c), fabs(d)));
    if (most == 0.0 || __builtin_isinf(most)) return most;
    int e = ilogb(most);
    a = ldexp(a, -e), b = ldexp(b, -e), c = ldexp(c, -e), d = ldexp(d, -e);
    return ldexp(sqrt(a * a + b * b + c * c + d * d), e);
}
EMU_FN double norm3d(double a, double b, double c) { return emu_norm(a, b, c, 0.0); }
EMU_FN double norm4d(double a, double b, double c, double d) { return emu_norm(a, b, c, d); }
EMU_FN double rnorm3d(double a, double b, double c) { return 1.0 / emu_norm(a, b, c, 0.0); }
EMU_FN double rnorm4d(double a, double b, double c, double d) { return 1.0 / emu_norm(a, b, c, d); }
EMU_FN float norm3df(float a, float b, float c) { return float(emu_norm(a, b, c, 0.0)); }
EMU_FN float norm4df(float a, float b, float c, float d) { return float(emu_norm(a, b, c, d)); }
EMU_FN float rnorm3df(float a, float b, float c) { return float(1.0 / emu_norm(a, b, c, 0.0)); }
EMU_FN float rnorm4df(float a, float b, float c, float d) { return float(1.0 / emu_norm(a, b, c, d)); }

// The normal distribution's quantile: Acklam's approximation, then two of Halley's steps.
EMU_FN double emu_normcdfinv(double p) {
    if (!(p > 0.0 && p < 1.0)) return p == 0.0 ? -__builtin_inf() : p == 1.0 ? __builtin_inf() : __builtin_nan("");
    double tail = p < 0.5 ? p : 1.0 - p, x;
    if (tail < 0.02425) {
        double q = sqrt(-2.0 * log(tail));
        x = (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838) * q - 2.549732539343734) * q
              + 4.374664141464968) * q + 2.938163982698783)
          / ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1.0);
    } else {
        double q = tail - 0.5, r = q * q;
        x = (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r + 1.383577518672690e+02) * r
              - 3.066479806614716e+01) * r + 2.506628277459239) * q
          / (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r + 6.680131188771972e+01) * r
              - 1.328068155288572e+01) * r + 1.0);
    }
    for (int i = 0; i < 2; i++) {
        double u = (0.5 * erfc(-x * 0.70710678118654752440) - tail) * 2.50662827463100050242 * exp(0.5 * x * x);
        if (__builtin_isfinite(u)) x -= u / (1.0 + 0.5 * x * u);
    }
    return p < 0.5 ? x : -x;
}
EMU_FN double emu_erfinv(double y) {
    if (fabs(y) > 0.5) return copysign(-emu_normcdfinv(0.5 * (1.0 - fabs(y))) * 0.70710678118654752440, y);
    double x = 0.88622692545275801365 * y;
    for (int i = 0; i < 5; i++) {
        double u = (erf(x) - y) * 0.88622692545275801365 * exp(x * x);
        x -= u / (1.0 + x * u);
    }
    return x;
}
EMU_FN double emu_erfcinv(double y) { return y > 0.5 ? emu_erfinv(1.0 - y) : -emu_normcdfinv(0.5 * y) * 0.70710678118654752440; }
EMU_FN double emu_erfcx(double x) {
    if (x < 10.0) {
        double h = x * x;
        return exp(h) * (1.0 + fma(x, x, -h)) * erfc(x);
    }
    double sum = 1.0, term = 1.0, t = -0.5 / (x * x);
    for (int n = 1; n < 20; n++) sum += term *= (2 * n - 1) * t;
    return sum * 0.56418958354775628695 / x;
}
EMU_FN double emu_bessel_i(int order, double x) {
    double q = 0.25 * x * x, term = order ? 0.5 * x : 1.0, sum = term;
    if (__builtin_isinf(x)) return order ? x : q;
    for (int k = 1; k < 5000 && fabs(term) > fabs(sum) * 1e-17; k++) sum += term *= q / (double(k) * (k + order));
    return sum;
}
EMU_COMPUTED1(normcdf, 0.5 * erfc(-x * 0.70710678118654752440)) EMU_COMPUTED1(normcdfinv, emu_normcdfinv(x))
EMU_COMPUTED1(erfinv, emu_erfinv(x)) EMU_COMPUTED1(erfcinv, emu_erfcinv(x)) EMU_COMPUTED1(erfcx, emu_erfcx(x))
EMU_COMPUTED1(cyl_bessel_i0, emu_bessel_i(0, x)) EMU_COMPUTED1(cyl_bessel_i1, emu_bessel_i(1, x))
#undef EMU_COMPUTED1
#undef EMU_COMPUTED2

#pragma pop_macro("EMU_DEVICE")

// ---- functions that read or write memory: the accesses are the calling line's own --------------------
#define EMU_FOR(T, f, suffix)                                                                    \
    EMU_INLINE void sincos##suffix(T x, T* s, T* c) { *s = sin(x); *c = cos(x); }                 \
    EMU_INLINE void sincospi##suffix(T x, T* s, T* c) { *s = sinpi(x); *c = cospi(x); }           \
    EMU_INLINE T modf##suffix(T x, T* whole) {                                                    \
        *whole = trunc(x);                                                                        \
        return __builtin_isinf(x) ? copysign(T(0), x) : copysign(x - trunc(x), x);                \
    }                                                                                             \
    EMU_INLINE T frexp##suffix(T x, int* exponent) {                                              \
        bool plain = x != T(0) && __builtin_isfinite(x);                                          \
        *exponent = plain ? ilogb(x) + 1 : 0;                                                     \
        return plain ? ldexp(x, -ilogb(x) - 1) : x;                                               \
    }                                                                                             \
    EMU_INLINE T remquo##suffix(T x, T y, int* quotient) {                                        \
        T r = remainder(x, y), wide = fmod(x, T(8) * y);                                          \
        *quotient = __builtin_isfinite(x / y) || y != T(0) ? int(rint((wide - r) / y)) % 8 : 0;   \
        return r;                                                                                 \
    }                                                                                             \
    EMU_INLINE T norm##f(int n, const T* p) {                                                     \
        double sum = 0.0;                                                                         \
        for (int i = 0; i < n; i++) { double x = p[i]; sum = hypot(sum, x); }                     \
        return T(sum);                                                                            \
    }                                                                                             \
    EMU_INLINE T rnorm##f(int n, const T* p) { return T(1) / norm##f(n, p); }
EMU_FOR(double, , ) EMU_FOR(float, f, f)
#undef EMU_FOR
EMU_INLINE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
EMU_INLINE void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
EMU_INLINE float modf(float x, float* whole) { return modff(x, whole); }
EMU_INLINE float frexp(float x, int* exponent) { return frexpf(x, exponent); }
EMU_INLINE float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }
EMU_INLINE void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }
EMU_FN double nan(const char*) { return __builtin_nan(""); }
EMU_FN float nanf(const char*) { return __builtin_nanf(""); }

// ---- the fast ones: exact enough for any tolerance that the GPU's own would pass -----------------------
#define EMU_FAST(name) EMU_FN float __##name(float x) { return name(x); }
EMU_FAST(expf) EMU_FAST(exp10f) EMU_FAST(logf) EMU_FAST(log2f) EMU_FAST(log10f)
EMU_FAST(sinf) EMU_FAST(cosf) EMU_FAST(tanf) EMU_FAST(tanhf)
#undef EMU_FAST
EMU_FN float __powf(float x, float y) { return powf(x, y); }
EMU_FN float __fdividef(float x, float y) { return x / y; }
EMU_FN float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }  // (of -0 and NaN +0)

// ---- classes of numbers, least and greatest ----------------------------------------------------------
#define EMU_CLASS(name)                                                                           \
    EMU_FN bool name(float x) { return __builtin_##name(x); }                                     \
    EMU_FN bool name(double x) { return __builtin_##name(x); }
EMU_CLASS(isnan) EMU_CLASS(isinf) EMU_CLASS(isfinite) EMU_CLASS(signbit)
#undef EMU_CLASS

#pragma push_macro("EMU_DEVICE")
#undef EMU_DEVICE
#define EMU_DEVICE EMU_BOTH
#define EMU_LEAST(R, A, B)                                                                         \
    EMU_FN R min(A a, B b) { return (R)b < (R)a ? (R)b : (R)a; }                                  \
    EMU_FN R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
#define EMU_LEAST_OF(S, U) EMU_LEAST(S, S, S) EMU_LEAST(U, U, U) EMU_LEAST(U, S, U) EMU_LEAST(U, U, S)
EMU_LEAST_OF(int, unsigned) EMU_LEAST_OF(long, unsigned long) EMU_LEAST_OF(long long, unsigned long long)
// A NaN gives way to a number.
#define EMU_LEAST_FLOAT(R, A, B)                                                                  \
    EMU_FN R min(A a, B b) { return fmin(R(a), R(b)); }                                           \
    EMU_FN R max(A a, B b) { return fmax(R(a), R(b)); }
EMU_LEAST_FLOAT(float, float, float) EMU_LEAST_FLOAT(double, double, double)
EMU_LEAST_FLOAT(double, float, double) EMU_LEAST_FLOAT(double, double, float)
#undef EMU_LEAST
#undef EMU_LEAST_OF
#undef EMU_LEAST_FLOAT
#pragma pop_macro("EMU_DEVICE")
EMU_FN int abs(int x) { return x < 0 ? -x : x; }
EMU_FN long abs(long x) { return x < 0 ? -x : x; }
EMU_FN long long abs(long long x) { return x < 0 ? -x : x; }
EMU_FN float abs(float x) { return fabsf(x); }
EMU_FN double abs(double x) { return fabs(x); }
EMU_FN long labs(long x) { return x < 0 ? -x : x; }
EMU_FN long long llabs(long long x) { return x < 0 ? -x : x; }
EMU_FN unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
EMU_FN unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
EMU_FN long long llmin(long long a, long long b) { return a < b ? a : b; }
EMU_FN long long llmax(long long a, long long b) { return a > b ? a : b; }
EMU_FN unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
EMU_FN unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }

#ifndef EMU_HOSTED
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#endif
