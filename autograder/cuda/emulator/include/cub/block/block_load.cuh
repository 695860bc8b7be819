// cub::BlockLoad: each thread gets its items of a block's. (BLOCK_LOAD_VECTORIZE: each is an access of its own.)
#pragma once
#include "block_exchange.cuh"

namespace cub {
template <class T, int X, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int LegacyArch = 0>
class BlockLoad {
    using Block = emu_cub::Block<X, Y, Z>;
    using Exchange = BlockExchange<T, X, Items, false, Y, Z>;
    static constexpr emu_cub::Order order = emu_cub::order_of(Algorithm);
    EMU_INLINE void arrange(T (&items)[Items]) {
        if constexpr (Algorithm == BLOCK_LOAD_TRANSPOSE) Exchange(emu_storage).StripedToBlocked(items);
        else if constexpr (Algorithm >= BLOCK_LOAD_WARP_TRANSPOSE) Exchange(emu_storage).WarpStripedToBlocked(items);
    }
    static_assert(order != emu_cub::Order::WarpStriped || Block::threads % 32 == 0, "BLOCK_LOAD_WARP_TRANSPOSE takes whole warps");

public:
    using TempStorage = typename Exchange::TempStorage;
    EMU_RAW BlockLoad(TempStorage& storage) : emu_storage(storage) {}

    template <class From> EMU_INLINE void Load(From from, T (&items)[Items]) { Load(from, items, Block::threads * Items); }
    template <class From> EMU_INLINE void Load(From from, T (&items)[Items], int valid) {
        for (int i = 0; i < Items; i++) {
            int at = Block::template place<order, Items>(i);
            if (at < valid) items[i] = from[at];
        }
        arrange(items);
    }
    template <class From, class Value> EMU_INLINE void Load(From from, T (&items)[Items], int valid, Value otherwise) {
        for (int i = 0; i < Items; i++) {
            int at = Block::template place<order, Items>(i);
            items[i] = at < valid ? T(from[at]) : T(otherwise);
        }
        arrange(items);
    }

private:
    TempStorage& emu_storage;
};
}  // namespace cub
