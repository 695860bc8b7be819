// CUDA's vector types on the host, with their sizes and alignments.
#pragma once

#define EMU_VECTORS(T, NAME, ALIGN2, ALIGN4)                                                                \
    struct NAME##1 { T x; };                                                                                \
    struct alignas(ALIGN2) NAME##2 { T x, y; };                                                             \
    struct NAME##3 { T x, y, z; };                                                                          \
    struct alignas(ALIGN4) NAME##4 { T x, y, z, w; };                                                       \
    static inline __attribute__((host, device)) NAME##1 make_##NAME##1(T x) { return {x}; }                 \
    static inline __attribute__((host, device)) NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }         \
    static inline __attribute__((host, device)) NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; } \
    static inline __attribute__((host, device)) NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }

EMU_VECTORS(signed char, char, 2, 4)
EMU_VECTORS(unsigned char, uchar, 2, 4)
EMU_VECTORS(short, short, 4, 8)
EMU_VECTORS(unsigned short, ushort, 4, 8)
EMU_VECTORS(int, int, 8, 16)
EMU_VECTORS(unsigned, uint, 8, 16)
EMU_VECTORS(long, long, 16, 16)
EMU_VECTORS(unsigned long, ulong, 16, 16)
EMU_VECTORS(long long, longlong, 16, 16)
EMU_VECTORS(unsigned long long, ulonglong, 16, 16)
EMU_VECTORS(float, float, 8, 16)
EMU_VECTORS(double, double, 16, 16)
#undef EMU_VECTORS

struct dim3 {
    unsigned x, y, z;
    constexpr __attribute__((host, device)) dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr __attribute__((host, device)) dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr __attribute__((host, device)) operator uint3() const { return {x, y, z}; }
};
