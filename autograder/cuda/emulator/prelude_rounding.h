// The modes of rounding, and how a rounded number becomes an integer: also for files of plain C++ (narrow_host.h).
#pragma once
enum { EMU_RN = 0x1f80, EMU_RD = 0x3f80, EMU_RU = 0x5f80, EMU_RZ = 0x7f80 };
// Held to the type's range. NaN becomes 0, from or to 64 bits the lowest bit pattern with the top bit set (PTX ISA, "cvt").
template <class T> EMU_ANYWHERE T emu_whole(double whole, bool wide) {
    constexpr bool has_sign = T(-1) < T(0);
    constexpr T top = T(T(1) << (8 * sizeof(T) - 1)), least = has_sign ? top : T(0), most = T(~least);
    if (whole != whole) return wide || sizeof(T) == 8 ? top : T(0);
    if (whole <= double(least)) return least;
    if (whole >= double(most)) return most;
    return T(whole);
}
