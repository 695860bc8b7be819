// Where a swizzle puts a byte of shared memory: tensor maps write so, and descriptors of matrices read so.
#pragma once
#include "../types.h"

// `span`: 32, 64 or 128 bytes, over which neighboring rows permute their pieces of 16 bytes; 0 or 16 for no swizzle.
// The address itself decides, not a distance from the tile: the pattern repeats every 8 * span bytes.
static u64 swizzled(u64 address, u32 span) {
    const u64 pieces = span / 16 - 1;
    return span <= 16 ? address : address ^ (address >> 7 & pieces) << 4;
}
