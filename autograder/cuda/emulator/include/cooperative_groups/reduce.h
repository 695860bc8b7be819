// cooperative_groups::reduce over the threads of a tile or of a coalesced group.
#pragma once
#include <cooperative_groups.h>

namespace cooperative_groups {
// A tile goes by halves, as shuffles do on the GPU, so that sums of floats come out alike; other groups
// fold in the order of ranks. Every member gets the result.
template <class Group, class T, class Op, EMU_IF(emu_within_warp<Group>)>
EMU_METHOD T reduce(const Group& group, T value, Op op) {
    const void* site = EMU_SITE;
    unsigned mask = group.emu_lanes(), n = emu_size(group), self = emu_groups::lane(),
             rank = emu_groups::below(mask, self);
    if ((n & (n - 1)) == 0) {
        for (unsigned half = n / 2; half; half /= 2)
            value = op(value, emu_groups::take(mask, value, emu_groups::member(mask, rank ^ half), site));
        return value;
    }
    T out = emu_groups::take(mask, value, emu_groups::member(mask, 0), site);
    for (unsigned r = 1; r < n; r++) out = op(out, emu_groups::take(mask, value, emu_groups::member(mask, r), site));
    return out;
}
// In a tile of several warps each goes so, then one after the other.
template <unsigned Size, class Parent, class T, class Op, EMU_IF(Size > 32)>
EMU_INLINE T reduce(const thread_block_tile<Size, Parent>& tile, T value, Op op) {
    return tile.emu_over_warps(reduce(tiled_partition<32>(tile), value, op), op);
}
template <class T, class Op> EMU_INLINE T reduce(const thread_block&, T, Op) {
    static_assert(sizeof(T) == 0, "cg::reduce over a whole block is not supported by the emulator");
}
}  // namespace cooperative_groups
