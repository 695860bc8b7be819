// cub::WarpReduce: the result is the first lane's.
#pragma once
#include <cub/collectives.cuh>

namespace cub {
template <class T, int Lanes = 32, int LegacyArch = 0> class WarpReduce {
    static_assert(Lanes > 0 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0, "a WarpReduce of other than 2, 4, 8, 16 or 32 lanes is not supported by the emulator");

public:
    struct TempStorage {};
    EMU_RAW WarpReduce(TempStorage&) {}
    template <class Op> EMU_INLINE T Reduce(T input, Op op, int valid) {
        T all = emu_cub::reduce_lanes(input, op, valid, Lanes);
        return emu_cub::lane(Lanes) == 0 ? all : emu_cub::unspecified<T>();
    }
    template <class Op> EMU_INLINE T Reduce(T input, Op op) { return Reduce(input, op, Lanes); }
    EMU_INLINE T Sum(T input) { return Reduce(input, cub::Sum()); }
    EMU_INLINE T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
};
}  // namespace cub
