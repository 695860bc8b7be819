// Where a warpgroup's instruction finds a matrix in shared memory, as its descriptor says it (PTX ISA, "Matrix
// Descriptor"). The matrix has rows of a, or columns of b, whose 32 bytes lie along the factors' common side.
#pragma once
#include "access.h"
#include "swizzle.h"

constexpr u32 ROW_BYTES = 32, PIECE = 16;

struct MatrixDescriptor {
    u64 start, leading, stride, base;  // bytes
    u32 span;                          // of the swizzle; 16: none
    bool is_sound;
    explicit MatrixDescriptor(u64 bits)
        : start((bits & 0x3fff) * PIECE), leading((bits >> 16 & 0x3fff) * PIECE), stride((bits >> 32 & 0x3fff) * PIECE),
          base((bits >> 49 & 7) * 128), span(bits >> 62 ? 256u >> (bits >> 62) : PIECE), is_sound(!(bits & RESERVED)) {}

    // Calls `each(address, row, byte)` for each piece of 16 bytes: of one row from that byte on; or if the matrix is
    // `turned`, of eight rows from that one on, each with an element of 2 bytes there.
    template <class F> void each_piece(u32 rows, bool turned, F each) const {
        if (!turned) {
            // Eight rows follow each other as closely as the swizzle has it; so do the pieces of a row, if there is one.
            for (u32 row = 0; row < rows; row++)
                for (u32 k = 0; k < ROW_BYTES / PIECE; k++)
                    each(place(row % 8 * span + row / 8 * stride + k * (span == PIECE ? leading : PIECE)), row,
                         k * PIECE);
            return;
        }
        const u32 wide = span / PIECE;  // pieces that lie side by side
        const u64 next_pieces = span == PIECE ? stride : leading, next_depth = span == PIECE ? leading : stride;
        for (u32 piece = 0; piece < rows / 8; piece++)
            for (u32 k = 0; k < ROW_BYTES / 2; k++)
                each(place(piece % wide * PIECE + piece / wide * next_pieces + k % 8 * span + k / 8 * next_depth),
                     8 * piece, 2 * k);
    }

private:
    static constexpr u64 RESERVED = 3ull << 14 | 3ull << 30 | 7ull << 46 | 0x3ffull << 52;
    u64 place(u64 offset) const { return swizzled(start + offset - base, span) + base; }
};
