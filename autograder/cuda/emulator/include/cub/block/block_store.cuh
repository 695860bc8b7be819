// cub::BlockStore: each thread stores its items of a block's. (BLOCK_STORE_VECTORIZE: each is an access of its own.)
#pragma once
#include "block_exchange.cuh"

namespace cub {
template <class T, int X, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int LegacyArch = 0>
class BlockStore {
    using Block = emu_cub::Block<X, Y, Z>;
    using Exchange = BlockExchange<T, X, Items, false, Y, Z>;
    static constexpr emu_cub::Order order = emu_cub::order_of(Algorithm);
    static_assert(order != emu_cub::Order::WarpStriped || Block::threads % 32 == 0, "BLOCK_STORE_WARP_TRANSPOSE takes whole warps");

public:
    using TempStorage = typename Exchange::TempStorage;
    EMU_RAW BlockStore(TempStorage& storage) : emu_storage(storage) {}

    template <class To> EMU_INLINE void Store(To to, T (&items)[Items]) { Store(to, items, Block::threads * Items); }
    template <class To> EMU_INLINE void Store(To to, T (&items)[Items], int valid) {
        if constexpr (Algorithm == BLOCK_STORE_TRANSPOSE) Exchange(emu_storage).BlockedToStriped(items);
        else if constexpr (Algorithm >= BLOCK_STORE_WARP_TRANSPOSE) Exchange(emu_storage).BlockedToWarpStriped(items);
        for (int i = 0; i < Items; i++) {
            int at = Block::template place<order, Items>(i);
            if (at < valid) to[at] = items[i];
        }
    }

private:
    TempStorage& emu_storage;
};
}  // namespace cub
