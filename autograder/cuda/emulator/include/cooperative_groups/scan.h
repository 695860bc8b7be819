// cooperative_groups::inclusive_scan and exclusive_scan over a tile or a coalesced group.
#pragma once
#include <cooperative_groups.h>

namespace cooperative_groups {
template <class Group, class T, class Op>
EMU_FN T emu_scan(const Group& group, T value, Op op, bool exclusive, const void* site,
                  const char* function = __builtin_FUNCTION()) {
    unsigned mask = group.emu_lanes(), n = emu_size(group), self = emu_groups::lane(),
             rank = emu_groups::below(mask, self);
    for (unsigned step = 1; step < n; step *= 2) {
        T other =
            emu_groups::take(mask, value, rank < step ? self : emu_groups::member(mask, rank - step), site, function);
        if (rank >= step) value = op(other, value);
    }
    if (!exclusive) return value;
    value = emu_groups::take(mask, value, rank ? emu_groups::member(mask, rank - 1) : self, site, function);
    return rank ? value : T();
}
template <class Group, class T, class Op = plus<T>, EMU_IF(emu_within_warp<Group>)>
EMU_METHOD T inclusive_scan(const Group& group, T value, Op op = {}) {
    return emu_scan(group, value, op, false, EMU_SITE);
}
template <class Group, class T, class Op = plus<T>, EMU_IF(emu_within_warp<Group>)>
EMU_METHOD T exclusive_scan(const Group& group, T value, Op op = {}) {
    return emu_scan(group, value, op, true, EMU_SITE);
}
}  // namespace cooperative_groups
