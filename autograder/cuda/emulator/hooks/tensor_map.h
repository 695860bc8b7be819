// A tensor in global memory as the bulk copies of tiles know it, in the 128 bytes of a CUtensorMap. Written by
// cuda/programs/runtime/tensor_maps.cpp and cuda/core/tensor_map.py.
#pragma once
#include "types.h"

struct TensorMap {
    u64 address, magic;
    u64 strides[4];  // bytes, of all dimensions but the first
    u64 extents[5];  // elements
    u16 box[5];      // elements of a tile
    u8 rank, element_bytes;
    u32 swizzle;  // the bytes of a row that it permutes: 32, 64 or 128; 0: none
    u32 skipped;  // bytes between the address and the first element: this description, where an array begins with it
    u8 is_float;
    u8 rest[19];

    static constexpr u64 ALIGNMENT = 64;
    static constexpr u64 MAGIC = 0x70616d5f75746d65;  // "emtu_map"
    // A kernel may have made it up.
    bool is_sound() const {
        if (magic != MAGIC || !rank || rank > 5 || !element_bytes || element_bytes > 8) return false;
        if (swizzle && swizzle != 32 && swizzle != 64 && swizzle != 128) return false;
        u64 bytes = element_bytes;
        for (u32 k = 0; k < rank; k++) {
            if (!box[k] || box[k] > 256 || extents[k] > 1ull << 32) return false;
            bytes *= box[k];
        }
        return box[0] * element_bytes % 16 == 0 && bytes < 1 << 20 && (!swizzle || box[0] * element_bytes <= swizzle);
    }
    // As `tensormap.replace` does it, with the fields as cuda/compiler/ptx_bulk.py numbers them; false: not here.
    bool replace(u32 field, u32 axis, u64 value) {
        constexpr u8 bytes_of[] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4}, FIRST_FLOAT = 6;
        if (axis > 4 - (field == 8)) return false;
        switch (field) {
        case 0:
            return address = value, skipped = 0, true;
        case 1:
            return rank = u8(value + 1), value < 5;
        case 2:
            if (value >= sizeof bytes_of) return false;
            return element_bytes = bytes_of[value], is_float = value >= FIRST_FLOAT, true;
        case 4:
            return swizzle = value ? 16u << value : 0, value <= 3;
        case 6:
            return box[axis] = u16(value), value <= 256;
        case 7:
            return extents[axis] = value, true;
        case 8:
            return strides[axis] = value, value % 16 == 0;
        case 9:
            return value == 1;
        default:  // interleaving, and what is beyond the edge
            return value == 0;
        }
    }
    u64 tile_bytes() const {
        u64 bytes = element_bytes;
        for (u32 k = 0; k < rank; k++) bytes *= box[k];
        return bytes;
    }
};
static_assert(sizeof(TensorMap) == 128);
