// Half precision: see the CUDA Math API, "Half Precision Intrinsics".
#pragma once
#include "narrow_host.h"
#pragma push_macro("EMU_DEVICE")  // the host computes with these, too
#undef EMU_DEVICE
#define EMU_DEVICE EMU_BOTH

#define EMU_T __half
#define EMU_T2 __half2
#define EMU_RAW_BITS __half_raw
#define EMU_FRACTION 10
#define EMU_EXPONENT 5
#define EMU_P(name) name##_half
#define EMU_2(to) to##half
#define EMU_22(to, mode) EMU_JOIN(EMU_JOIN(to, half2), mode)
#define EMU_FROM(from) __half##from
#include "narrow_float.h"

using half = __half;
using half2 = __half2;
EMU_FN __half2 make_half2(__half x, __half y) { return {x, y}; }
// The complex product of a and b, added to c.
EMU_FN __half2 __hcmadd(__half2 a, __half2 b, __half2 c) {
    __half real = __hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), imaginary = __hfma(a.y, b.x, __hfma(a.x, b.y, c.y));
    return {real, imaginary};
}
#pragma pop_macro("EMU_DEVICE")
