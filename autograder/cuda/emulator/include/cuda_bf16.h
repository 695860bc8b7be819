// bfloat16: see the CUDA Math API, "Bfloat16 Precision Intrinsics".
#pragma once
#include "narrow_host.h"
#pragma push_macro("EMU_DEVICE")  // the host computes with these, too
#undef EMU_DEVICE
#define EMU_DEVICE EMU_BOTH

#define EMU_T __nv_bfloat16
#define EMU_T2 __nv_bfloat162
#define EMU_RAW_BITS __nv_bfloat16_raw
#define EMU_FRACTION 7
#define EMU_EXPONENT 8
#define EMU_P(name) name##_bfloat16
#define EMU_2(to) to##bfloat16
#define EMU_22(to, mode) EMU_JOIN(EMU_JOIN(to, bfloat162), mode)
#define EMU_FROM(from) __bfloat16##from
#include "narrow_float.h"

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
EMU_FN __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
#pragma pop_macro("EMU_DEVICE")
