// cub::BlockScan. An aggregate is every thread's, and has nothing in it of what comes before the block.
#pragma once
#include <cub/collectives.cuh>

namespace cub {
template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int LegacyArch = 0>
class BlockScan {
    using Block = emu_cub::Block<X, Y, Z>;
    struct Scanned { T exclusive, inclusive, all; };  // `exclusive`: of the first thread, nothing

    template <class Op> EMU_INLINE Scanned scan(T input, Op op) {
        int self = Block::rank(), warp = self / 32, lane = emu_cub::lane();
        T inclusive = emu_cub::scan_lanes(input, op, 32);
        T exclusive = emu_cub::from_below(inclusive, 1, 32, emu_here());
        if (lane == 31 || self == Block::threads - 1) emu_storage.emu_of_warps[warp] = inclusive;
        __syncthreads();
        T all = emu_storage.emu_of_warps[0], before = all;
        for (int i = 1; i < Block::warps; i++) {
            if (i == warp) before = all;
            all = op(all, emu_storage.emu_of_warps[i]);
        }
        if (warp) {
            inclusive = op(before, inclusive);
            exclusive = lane ? op(before, exclusive) : before;
        }
        return {self ? exclusive : emu_cub::unspecified<T>(), inclusive, all};
    }
    // What comes before a thread: `first`, then the threads before it.
    template <class Op> EMU_INLINE static T behind(T first, const Scanned& found, Op op) {
        return Block::rank() ? T(op(first, found.exclusive)) : first;
    }
    // What comes before the block: the first warp asks for it, and its first lane's answer counts.
    template <class Prefix> EMU_INLINE T before_block(T all, Prefix& prefix) {
        if (Block::rank() < 32) {
            T said = prefix(all);
            if (Block::rank() == 0) emu_storage.emu_prefix = said;
        }
        __syncthreads();
        return emu_storage.emu_prefix;
    }
    // A thread's items, behind what comes before them; `none`: nothing does.
    template <bool inclusive, int Items, class Op>
    EMU_INLINE static void scan_items(T (&in)[Items], T (&out)[Items], Op op, T before, bool none) {
        for (int i = 0; i < Items; i++) {
            T with = i || !none ? T(op(before, in[i])) : in[i];
            out[i] = inclusive ? with : before;
            before = with;
        }
    }

public:
    struct TempStorage { T emu_of_warps[Block::warps], emu_prefix; };
    EMU_RAW BlockScan(TempStorage& storage) : emu_storage(storage) {}

    template <int Items, class Op> EMU_INLINE void ExclusiveScan(T (&in)[Items], T (&out)[Items], Op op, T& aggregate) {
        Scanned found = scan(emu_cub::reduce_items(in, op), op);
        scan_items<false>(in, out, op, found.exclusive, Block::rank() == 0);
        aggregate = found.all;
    }
    template <int Items, class Op>
    EMU_INLINE void ExclusiveScan(T (&in)[Items], T (&out)[Items], T initial, Op op, T& aggregate) {
        Scanned found = scan(emu_cub::reduce_items(in, op), op);
        scan_items<false>(in, out, op, behind(initial, found, op), false);
        aggregate = found.all;
    }
    template <int Items, class Op, class Prefix>
    EMU_INLINE void ExclusiveScan(T (&in)[Items], T (&out)[Items], Op op, Prefix& prefix) {
        Scanned found = scan(emu_cub::reduce_items(in, op), op);
        scan_items<false>(in, out, op, behind(before_block(found.all, prefix), found, op), false);
    }
    template <int Items, class Op> EMU_INLINE void ExclusiveScan(T (&in)[Items], T (&out)[Items], Op op) {
        T unused;
        ExclusiveScan(in, out, op, unused);
    }
    template <int Items, class Op> EMU_INLINE void ExclusiveScan(T (&in)[Items], T (&out)[Items], T initial, Op op) {
        T unused;
        ExclusiveScan(in, out, initial, op, unused);
    }
    template <class... Rest> EMU_INLINE void ExclusiveScan(T input, T& out, Rest&&... rest) {
        ExclusiveScan((T(&)[1])input, (T(&)[1])out, rest...);
    }
    template <int Items> EMU_INLINE void ExclusiveSum(T (&in)[Items], T (&out)[Items], T& aggregate) {
        ExclusiveScan(in, out, T(), Sum(), aggregate);
    }
    template <int Items, class Prefix> EMU_INLINE void ExclusiveSum(T (&in)[Items], T (&out)[Items], Prefix& prefix) {
        ExclusiveScan(in, out, Sum(), prefix);
    }
    template <int Items> EMU_INLINE void ExclusiveSum(T (&in)[Items], T (&out)[Items]) { ExclusiveScan(in, out, T(), Sum()); }
    template <class... Rest> EMU_INLINE void ExclusiveSum(T input, T& out, Rest&... rest) {
        ExclusiveSum((T(&)[1])input, (T(&)[1])out, rest...);
    }

    // (A single item has its place in the scan of a warp, and so is rounded as there.)
    template <class Op> EMU_INLINE void InclusiveScan(T input, T& out, Op op, T& aggregate) {
        Scanned found = scan(input, op);
        out = found.inclusive;
        aggregate = found.all;
    }
    template <class Op, class Prefix> EMU_INLINE void InclusiveScan(T input, T& out, Op op, Prefix& prefix) {
        Scanned found = scan(input, op);
        out = op(before_block(found.all, prefix), found.inclusive);
    }
    template <int Items, class Op> EMU_INLINE void InclusiveScan(T (&in)[Items], T (&out)[Items], Op op, T& aggregate) {
        Scanned found = scan(emu_cub::reduce_items(in, op), op);
        scan_items<true>(in, out, op, found.exclusive, Block::rank() == 0);
        aggregate = found.all;
    }
    template <int Items, class Op, class Prefix>
    EMU_INLINE void InclusiveScan(T (&in)[Items], T (&out)[Items], Op op, Prefix& prefix) {
        Scanned found = scan(emu_cub::reduce_items(in, op), op);
        scan_items<true>(in, out, op, behind(before_block(found.all, prefix), found, op), false);
    }
    template <class In, class Out, class Op> EMU_INLINE void InclusiveScan(In&& in, Out& out, Op op) {
        T unused;
        InclusiveScan(in, out, op, unused);
    }
    template <class In, class Out, class Last> EMU_INLINE void InclusiveSum(In&& in, Out& out, Last& last) {
        InclusiveScan(in, out, Sum(), last);
    }
    template <class In, class Out> EMU_INLINE void InclusiveSum(In&& in, Out& out) { InclusiveScan(in, out, Sum()); }

private:
    TempStorage& emu_storage;
};
}  // namespace cub
