// The arithmetic of a tensor core: the sum of some products and a number, as an H200 rounds it. How it was found, and
// where it differs: docs/emulator.md, "Matrices".
#pragma once
#include "types.h"

// As mma.h numbers them; the last two are of warpgroups alone.
enum class ElementType : u8 { Half, Bfloat16, Tf32, Signed8, Unsigned8, Float, Int, Double, E4m3, E5m2 };
constexpr u32 ELEMENTS = 10;
constexpr u32 BYTES_OF[ELEMENTS] = {2, 2, 4, 1, 1, 4, 4, 8, 1, 1};

// A floating number: significand * 2^(exponent - fraction bits of its type). Zero has a significand of 0.
struct Floating {
    i32 significand, exponent;
    enum : u8 { Finite, Infinite, NotANumber } kind;
};

struct FloatFormat {
    i32 fraction, exponent_bits;
    u32 ignored;  // low bits of what is stored
    bool finite;  // it has no infinity, and of what would be one or a NaN, only the largest is a NaN
};
constexpr FloatFormat HALF = {10, 5, 0, false}, BFLOAT16 = {7, 8, 0, false}, TF32 = {10, 8, 13, false},
                      FLOAT = {23, 8, 0, false}, E4M3 = {3, 4, 0, true}, E5M2 = {2, 5, 0, false};

static const FloatFormat& format_of(ElementType e) {
    return e == ElementType::Half       ? HALF
           : e == ElementType::Bfloat16 ? BFLOAT16
           : e == ElementType::Tf32     ? TF32
           : e == ElementType::E4m3     ? E4M3
           : e == ElementType::E5m2     ? E5M2
                                        : FLOAT;
}

static Floating unpack(u32 bits, const FloatFormat& f) {
    bits >>= f.ignored;
    u32 top = (1u << f.exponent_bits) - 1, e = bits >> f.fraction & top, m = bits & ((1u << f.fraction) - 1);
    i32 bias = i32(top >> 1), significand = i32(e ? m | 1u << f.fraction : m);
    bool negative = bits >> (f.fraction + f.exponent_bits) & 1;
    if (f.finite && e == top && m + 1 == 1u << f.fraction) return {1, 0, Floating::NotANumber};
    if (!f.finite && e == top) return {negative ? -1 : 1, 0, m ? Floating::NotANumber : Floating::Infinite};
    return {negative ? -significand : significand, i32(e ? e : 1) - bias, Floating::Finite};
}

// sum * 2^(exponent - bits), in this format; `nearest`: rounded to it, of two to the even one; else towards zero.
static u32 pack(i64 sum, i32 exponent, i32 bits, const FloatFormat& f, bool nearest) {
    u32 top = (1u << f.exponent_bits) - 1, sign = sum < 0 ? 1u << (f.fraction + f.exponent_bits) : 0;
    u64 magnitude = sum < 0 ? u64(-sum) : u64(sum);
    if (!magnitude) return 0;
    i32 least = 2 - i32(1u << (f.exponent_bits - 1));
    i32 e = exponent - bits + 63 - __builtin_clzll(magnitude);  // of its first bit
    if (e < least) e = least;
    i32 shift = e - f.fraction - (exponent - bits);  // bits to drop
    u64 quotient = shift > 63 ? 0 : shift > 0 ? magnitude >> shift : magnitude << -shift;
    if (nearest && shift > 0 && shift <= 63) {
        u64 rest = magnitude & ((1ull << shift) - 1), half = 1ull << (shift - 1);
        quotient += rest > half || (rest == half && (quotient & 1));
    }
    // (A carry out of the fraction adds one to the exponent, and the hidden bit is its first one.)
    u64 out = (u64(e - least) << f.fraction) + quotient;
    u64 infinity = u64(top) << f.fraction;
    return sign | u32(out < infinity ? out : infinity);
}

// What a tensor core adds up at once.
constexpr u32 MAX_PRODUCTS = 32;
struct Adder {
    u32 products;  // at most
    i32 bits;      // kept of the fraction of the largest number; what the others have below its last bit is cut off
};
// `in_halves`: mma.h's TF32 product is two instructions, each of half the depth.
static Adder adder_of(ElementType e, bool in_halves) {
    if (e == ElementType::E4m3 || e == ElementType::E5m2) return {MAX_PRODUCTS, 13};
    return e == ElementType::Tf32 ? Adder{in_halves ? 4u : 8u, 25} : Adder{16, 25};
}

// The sum of `count` products, whose fractions have `fraction` bits, and `c` (of format `from`), as a number of format `to`.
static u32 add_products(const Floating* a, const Floating* b, u32 count, i32 fraction, const Adder& adder, u32 c,
                        const FloatFormat& from, const FloatFormat& to) {
    const bool nearest = to.fraction == HALF.fraction;
    const u32 nan = nearest ? 0x7fff : 0x7fffffff;
    Floating start = unpack(c, from);
    // A half that goes into a float sum becomes a float first, of which none is subnormal.
    bool widened = from.fraction < to.fraction && start.significand;
    while (widened && __builtin_abs(start.significand) < 1 << from.fraction) start.significand *= 2, start.exponent--;
    i64 term[MAX_PRODUCTS + 1];
    i32 exponent[MAX_PRODUCTS + 1];
    bool positive = false, negative = false;
    i32 largest = -100000;
    auto notice = [&](u32 i, i64 significand, i32 e) {
        term[i] = significand;
        exponent[i] = e;
        if (significand && e > largest) largest = e;
    };
    if (start.kind == Floating::NotANumber) return nan;
    if (start.kind == Floating::Infinite) (start.significand < 0 ? negative : positive) = true;
    notice(count, start.significand, start.exponent);
    for (u32 i = 0; i < count; i++) {
        if (UNLIKELY(a[i].kind || b[i].kind)) {
            if (a[i].kind == Floating::NotANumber || b[i].kind == Floating::NotANumber) return nan;
            if (!a[i].significand || !b[i].significand) return nan;
            ((a[i].significand < 0) != (b[i].significand < 0) ? negative : positive) = true;
        }
        notice(i, i64(a[i].significand) * b[i].significand, a[i].exponent + b[i].exponent);
    }
    if (positive && negative) return nan;
    if (positive || negative)
        return ((1u << to.exponent_bits) - 1) << to.fraction | (negative ? 1u << (to.fraction + to.exponent_bits) : 0);
    i64 sum = 0;
    for (u32 i = 0; i <= count; i++) {
        i32 shift = exponent[i] - (i < count ? fraction : from.fraction) - largest + adder.bits;
        u64 magnitude = term[i] < 0 ? u64(-term[i]) : u64(term[i]);
        magnitude = shift < -63 ? 0 : shift < 0 ? magnitude >> -shift : magnitude << shift;
        sum += term[i] < 0 ? -i64(magnitude) : i64(magnitude);
    }
    return pack(sum, largest, adder.bits, to, nearest);
}
