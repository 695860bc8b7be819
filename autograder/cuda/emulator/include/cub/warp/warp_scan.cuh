// cub::WarpScan. An aggregate is every lane's, and has no initial value in it.
#pragma once
#include <cub/collectives.cuh>

namespace cub {
template <class T, int Lanes = 32, int LegacyArch = 0> class WarpScan {
    static_assert(Lanes > 0 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0, "a WarpScan of other than 2, 4, 8, 16 or 32 lanes is not supported by the emulator");
    // The scan of the lanes before.
    EMU_INLINE static T before(T inclusive) { return emu_cub::from_below(inclusive, 1, Lanes, emu_here()); }

public:
    struct TempStorage {};
    EMU_RAW WarpScan(TempStorage&) {}
    EMU_INLINE T Broadcast(T input, unsigned source) { return emu_cub::from_lane(input, int(source), Lanes, emu_here()); }

    template <class Op> EMU_INLINE void InclusiveScan(T input, T& out, Op op) { out = emu_cub::scan_lanes(input, op, Lanes); }
    template <class Op> EMU_INLINE void InclusiveScan(T input, T& out, Op op, T& aggregate) {
        T all = emu_cub::scan_lanes(input, op, Lanes);
        out = all;
        aggregate = Broadcast(all, Lanes - 1);
    }
    template <class Op> EMU_INLINE void ExclusiveScan(T input, T& out, Op op) {
        T left = before(emu_cub::scan_lanes(input, op, Lanes));
        out = emu_cub::lane(Lanes) ? left : emu_cub::unspecified<T>();
    }
    template <class Op> EMU_INLINE void ExclusiveScan(T input, T& out, Op op, T& aggregate) {
        T all = emu_cub::scan_lanes(input, op, Lanes), left = before(all);
        out = emu_cub::lane(Lanes) ? left : emu_cub::unspecified<T>();
        aggregate = Broadcast(all, Lanes - 1);
    }
    template <class Op> EMU_INLINE void ExclusiveScan(T input, T& out, T initial, Op op) {
        T left = before(emu_cub::scan_lanes(input, op, Lanes));
        out = emu_cub::lane(Lanes) ? op(initial, left) : initial;
    }
    template <class Op> EMU_INLINE void ExclusiveScan(T input, T& out, T initial, Op op, T& aggregate) {
        T all = emu_cub::scan_lanes(input, op, Lanes), left = before(all);
        out = emu_cub::lane(Lanes) ? op(initial, left) : initial;
        aggregate = Broadcast(all, Lanes - 1);
    }
    EMU_INLINE void InclusiveSum(T input, T& out) { InclusiveScan(input, out, Sum()); }
    EMU_INLINE void InclusiveSum(T input, T& out, T& aggregate) { InclusiveScan(input, out, Sum(), aggregate); }
    EMU_INLINE void ExclusiveSum(T input, T& out) { ExclusiveScan(input, out, T(), Sum()); }
    EMU_INLINE void ExclusiveSum(T input, T& out, T& aggregate) { ExclusiveScan(input, out, T(), Sum(), aggregate); }
};
}  // namespace cub
