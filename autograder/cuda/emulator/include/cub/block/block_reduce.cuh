// cub::BlockReduce: the result is the first thread's.
#pragma once
#include <cub/collectives.cuh>

namespace cub {
template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int LegacyArch = 0>
class BlockReduce {
    using Block = emu_cub::Block<X, Y, Z>;

public:
    struct TempStorage { T emu_of_warps[Block::warps]; };
    EMU_RAW BlockReduce(TempStorage& storage) : emu_storage(storage) {}

    template <class Op> EMU_INLINE T Reduce(T input, Op op, int valid) {
        int self = Block::rank(), warp = self / 32;
        T all = emu_cub::reduce_lanes(input, op, valid - 32 * warp, 32);
        if (emu_cub::lane() == 0) emu_storage.emu_of_warps[warp] = all;
        __syncthreads();
        if (self) return emu_cub::unspecified<T>();
        for (int i = 1; i < Block::warps && 32 * i < valid; i++) all = op(all, emu_storage.emu_of_warps[i]);
        return all;
    }
    template <class Op> EMU_INLINE T Reduce(T input, Op op) { return Reduce(input, op, Block::threads); }
    template <int Items, class Op> EMU_INLINE T Reduce(T (&inputs)[Items], Op op) {
        return Reduce(emu_cub::reduce_items(inputs, op), op);
    }
    EMU_INLINE T Sum(T input) { return Reduce(input, cub::Sum()); }
    EMU_INLINE T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
    template <int Items> EMU_INLINE T Sum(T (&inputs)[Items]) { return Reduce(inputs, cub::Sum()); }

private:
    TempStorage& emu_storage;
};
}  // namespace cub
