// What cuda_fp16.h and cuda_bf16.h need of the prelude in a file of plain C++, where they have no atomics.
#pragma once
#ifndef __CUDA__
#include "prelude_vectors.h"
#include <math.h>
#define EMU_BOTH
#define EMU_DEVICE
#undef EMU_FN
#define EMU_FN static inline __attribute__((unused))
#define EMU_INLINE inline
#include "prelude_rounding.h"
#include "prelude_narrow.h"
template <class T> inline constexpr bool emu_is_exchanged = false;
#endif
