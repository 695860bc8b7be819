// What memory holds that nobody has written: all bits set, which is NaN in floating point; or numbers that no text knows.
#pragma once
#include "launch.h"

static void fill_uninitialized(void* at, u64 bytes) {
    if (LIKELY(!request.uninitialized_fill)) {
        __builtin_memset(at, 0xff, bytes);
        return;
    }
    static u64 state;  // of SplitMix64 (Steele, Lea and Flood, 2014)
    if (!state) state = request.uninitialized_fill;
    for (u64 i = 0, word = 0; i < bytes; i++, word >>= 8) {
        if (i % 8 == 0) {
            word = state += 0x9e3779b97f4a7c15;
            word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
            word = (word ^ word >> 27) * 0x94d049bb133111eb;
            word ^= word >> 31;
        }
        ((u8*)at)[i] = u8(word);
    }
}
