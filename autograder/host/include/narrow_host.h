// Lets the host compute with the emulator's own types of 16 bits: what its headers need of the emulator.
#pragma once
#include "cuda_runtime.h"

#define EMU_FN static inline __attribute__((unused, host, device, nodebug))
#define EMU_INLINE inline __attribute__((always_inline, host, device, nodebug))
#define EMU_CALL EMU_FN
#define EMU_SITE nullptr
enum { EMU_SCOPE_DEVICE = 1 };
enum { EMU_RN, EMU_RD, EMU_RU, EMU_RZ };
void emu_atomic(void*, unsigned, int, const void*);  // only kernels have atomics of these types
template <class T> inline constexpr bool emu_is_exchanged = false;

// A number that is whole, as an integer: the nearest that there is.
template <class T> EMU_FN T emu_whole(double whole, bool) {
    constexpr bool is_signed = T(-1) < T(0);
    constexpr T most = is_signed ? T((1ull << (8 * sizeof(T) - 1)) - 1) : T(-1), least = T(~most * T(is_signed));
    if (whole != whole) return 0;
    return whole >= double(most) ? most : whole <= double(least) ? least : T(whole);
}
