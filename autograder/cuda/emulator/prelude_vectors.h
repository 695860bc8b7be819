// CUDA's vector types, for kernels and for the host.
#pragma once

// What computes on the host, too.
#define EMU_ANYWHERE                                                                      \
    static inline __attribute__((unused, host, device, disable_sanitizer_instrumentation, \
                                 no_sanitize("thread", "array-bounds")))
// Instrumented, unlike the rest: `this` may be any address.
#define EMU_VALUE constexpr __attribute__((host, device, always_inline, no_sanitize("array-bounds")))

// ---- vector types: alignments from the CUDA C++ Programming Guide, "Built-in Vector Types" -----
#define EMU_VEC(T, N, A1, A2, A4)                                      \
    struct N##1 { T x; };                                              \
    struct __attribute__((aligned(A2))) N##2 { T x, y; };              \
    struct N##3 { T x, y, z; };                                        \
    struct __attribute__((aligned(A4))) N##4 { T x, y, z, w; };        \
    EMU_ANYWHERE N##1 make_##N##1(T x) { return {x}; }                 \
    EMU_ANYWHERE N##2 make_##N##2(T x, T y) { return {x, y}; }         \
    EMU_ANYWHERE N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; } \
    EMU_ANYWHERE N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
EMU_VEC(signed char, char, 1, 2, 4)
EMU_VEC(unsigned char, uchar, 1, 2, 4)
EMU_VEC(short, short, 2, 4, 8)
EMU_VEC(unsigned short, ushort, 2, 4, 8)
EMU_VEC(int, int, 4, 8, 16)
EMU_VEC(unsigned, uint, 4, 8, 16)
EMU_VEC(long, long, 8, 16, 16)
EMU_VEC(unsigned long, ulong, 8, 16, 16)
EMU_VEC(long long, longlong, 8, 16, 16)
EMU_VEC(unsigned long long, ulonglong, 8, 16, 16)
EMU_VEC(float, float, 4, 8, 16)
EMU_VEC(double, double, 8, 16, 16)
#undef EMU_VEC
struct dim3 {
    unsigned x, y, z;
    EMU_VALUE dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
    EMU_VALUE dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    EMU_VALUE operator uint3() const { return {x, y, z}; }
};
