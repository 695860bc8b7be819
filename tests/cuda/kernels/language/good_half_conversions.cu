// kernel: convert   grid: 1   block: 256
// args: in float32[65536] poison, n int32 65536, nearest uint16[65536] poison, up uint16[65536] poison, wrong uint32[1] zeros
// expect: nothing
// check: wrong == [0]
#include <cuda_fp16.h>
// Every half there is, and what lies between it and the next: conversion back must be exact, and each
// direction must go to the neighbor on its side.
__global__ void convert(const float* in, int n, unsigned short* nearest, unsigned short* up, unsigned* wrong)
{
    for (int bits = threadIdx.x; bits < n; bits += blockDim.x) {
        __half h = __ushort_as_half((unsigned short)bits);
        float f = __half2float(h);
        nearest[bits] = up[bits] = 0;
        if (__hisnan(h)) continue;
        bool ok = __half_as_ushort(__float2half(f)) == bits && __half_as_ushort(__float2half_rz(f)) == bits;
        bool finite = (bits & 0x7fff) < 0x7bff;
        if (finite) {
            float g = __half2float(__ushort_as_half((unsigned short)(bits + 1)));  // the next away from zero
            float middle = 0.5f * f + 0.5f * g, above = 0.25f * f + 0.75f * g;
            int even = bits & 1 ? bits + 1 : bits, away = bits + 1, positive = f > 0.0f || bits == 0;
            ok = ok && __half_as_ushort(__float2half_rn(middle)) == even;
            ok = ok && __half_as_ushort(__float2half_rn(above)) == away;
            ok = ok && __half_as_ushort(__float2half_rz(above)) == bits;
            ok = ok && __half_as_ushort(__float2half_ru(above)) == (positive ? away : bits);
            ok = ok && __half_as_ushort(__float2half_rd(above)) == (positive ? bits : away);
        }
        if (!ok) atomicAdd(wrong, 1u);
    }
}
