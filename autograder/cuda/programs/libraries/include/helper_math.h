// Operators and functions of vectors, for both halves of a program, as NVIDIA's samples have them.
#pragma once
#include <cuda_runtime.h>
#include <math.h>

#ifdef __CUDA__
#define EMU_MATH static inline __attribute__((host, device, unused))
#else
#define EMU_MATH static inline __attribute__((unused))
EMU_MATH float rsqrtf(float x) { return 1 / sqrtf(x); }
#endif

EMU_MATH float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
EMU_MATH int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
EMU_MATH unsigned clamp(unsigned x, unsigned low, unsigned high) { return x < low ? low : x > high ? high : x; }
EMU_MATH float lerp(float a, float b, float t) { return a + t * (b - a); }
EMU_MATH float fracf(float x) { return x - floorf(x); }

// A vector, or a sum, of what M makes of each component's name.
#define EMU_EACH_2(M) {M(x), M(y)}
#define EMU_EACH_3(M) {M(x), M(y), M(z)}
#define EMU_EACH_4(M) {M(x), M(y), M(z), M(w)}
#define EMU_SUM_2(M) (M(x) + M(y))
#define EMU_SUM_3(M) (M(x) + M(y) + M(z))
#define EMU_SUM_4(M) (M(x) + M(y) + M(z) + M(w))

#define EMU_SAME(c) a
#define EMU_MUL(c) a.c* b.c
#define EMU_CLAMP(c) clamp(a.c, low, high)
#define EMU_CLAMPS(c) clamp(a.c, low.c, high.c)
#define EMU_VECTOR(V, T, N)                                                  \
    EMU_MATH V make_##V(T a) { return EMU_EACH_##N(EMU_SAME); }              \
    EMU_MATH T dot(V a, V b) { return EMU_SUM_##N(EMU_MUL); }                \
    EMU_MATH V clamp(V a, T low, T high) { return EMU_EACH_##N(EMU_CLAMP); } \
    EMU_MATH V clamp(V a, V low, V high) { return EMU_EACH_##N(EMU_CLAMPS); }
#define EMU_VECTORS(N) EMU_VECTOR(float##N, float, N) EMU_VECTOR(int##N, int, N) EMU_VECTOR(uint##N, unsigned, N)
EMU_VECTORS(2)
EMU_VECTORS(3)
EMU_VECTORS(4)

#define EMU_O_2(V, T, O)                                               \
    EMU_MATH V operator O(V a, V b) { return {a.x O b.x, a.y O b.y}; } \
    EMU_MATH V operator O(V a, T b) { return {a.x O b, a.y O b}; }     \
    EMU_MATH V operator O(T a, V b) { return {a O b.x, a O b.y}; }
#define EMU_O_3(V, T, O)                                                          \
    EMU_MATH V operator O(V a, V b) { return {a.x O b.x, a.y O b.y, a.z O b.z}; } \
    EMU_MATH V operator O(V a, T b) { return {a.x O b, a.y O b, a.z O b}; }       \
    EMU_MATH V operator O(T a, V b) { return {a O b.x, a O b.y, a O b.z}; }
#define EMU_O_4(V, T, O)                                                                     \
    EMU_MATH V operator O(V a, V b) { return {a.x O b.x, a.y O b.y, a.z O b.z, a.w O b.w}; } \
    EMU_MATH V operator O(V a, T b) { return {a.x O b, a.y O b, a.z O b, a.w O b}; }         \
    EMU_MATH V operator O(T a, V b) { return {a O b.x, a O b.y, a O b.z, a O b.w}; }
#define EMU_OPERATOR(V, T, N, O)                                                \
    EMU_O_##N(V, T, O) EMU_MATH void operator O## = (V & a, V b) { a = a O b; } \
    EMU_MATH void operator O## = (V & a, T b) { a = a O b; }
#define EMU_OPERATORS(V, T, N) \
    EMU_OPERATOR(V, T, N, +) EMU_OPERATOR(V, T, N, -) EMU_OPERATOR(V, T, N, *) EMU_OPERATOR(V, T, N, /)
EMU_OPERATORS(float2, float, 2)
EMU_OPERATORS(float3, float, 3)
EMU_OPERATORS(float4, float, 4)
EMU_OPERATORS(int2, int, 2)
EMU_OPERATORS(int3, int, 3)
EMU_OPERATORS(int4, int, 4)
EMU_OPERATORS(uint2, unsigned, 2)
EMU_OPERATORS(uint3, unsigned, 3)
EMU_OPERATORS(uint4, unsigned, 4)

#define EMU_FLOOR(c) floorf(a.c)
#define EMU_FABS(c) fabsf(a.c)
#define EMU_FRAC(c) fracf(a.c)
#define EMU_MIN(c) fminf(a.c, b.c)
#define EMU_MAX(c) fmaxf(a.c, b.c)
#define EMU_FLOATS(V, N)                                           \
    EMU_MATH V operator-(V a) { return a * -1.0f; }                \
    EMU_MATH V floorf(V a) { return EMU_EACH_##N(EMU_FLOOR); }     \
    EMU_MATH V fabs(V a) { return EMU_EACH_##N(EMU_FABS); }        \
    EMU_MATH V fracf(V a) { return EMU_EACH_##N(EMU_FRAC); }       \
    EMU_MATH V fminf(V a, V b) { return EMU_EACH_##N(EMU_MIN); }   \
    EMU_MATH V fmaxf(V a, V b) { return EMU_EACH_##N(EMU_MAX); }   \
    EMU_MATH V lerp(V a, V b, float t) { return a + t * (b - a); } \
    EMU_MATH float length(V a) { return sqrtf(dot(a, a)); }        \
    EMU_MATH V normalize(V a) { return a * rsqrtf(dot(a, a)); }    \
    EMU_MATH V reflect(V a, V n) { return a - 2.0f * n * dot(n, a); }
EMU_FLOATS(float2, 2)
EMU_FLOATS(float3, 3)
EMU_FLOATS(float4, 4)
EMU_MATH float3 cross(float3 a, float3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
EMU_MATH float2 make_float2(float3 a) { return {a.x, a.y}; }
EMU_MATH float2 make_float2(int2 a) { return {float(a.x), float(a.y)}; }
EMU_MATH float3 make_float3(float2 a, float z) { return {a.x, a.y, z}; }
EMU_MATH float3 make_float3(float4 a) { return {a.x, a.y, a.z}; }
EMU_MATH float3 make_float3(int3 a) { return {float(a.x), float(a.y), float(a.z)}; }
EMU_MATH float4 make_float4(float3 a, float w) { return {a.x, a.y, a.z, w}; }
EMU_MATH float4 make_float4(float3 a) { return {a.x, a.y, a.z, 0}; }
