// cub::BlockExchange: a block's items in another order, by way of shared memory.
#pragma once
#include <cub/collectives.cuh>

namespace cub {
template <class T, int X, int Items, bool TimeSlicing = false, int Y = 1, int Z = 1, int LegacyArch = 0> class BlockExchange {
    using Block = emu_cub::Block<X, Y, Z>;
    using Order = emu_cub::Order;
    // As in CUB, an unused place behind every 32 where the items of a thread would share banks.
    static constexpr bool padded = Items > 4 && (Items & (Items - 1)) == 0;
    static constexpr int count = Block::threads * Items;
    EMU_INLINE T& at(int place) { return emu_storage.emu_items[padded ? place + place / 32 : place]; }
    template <Order from, Order to> EMU_INLINE void exchange(const T (&in)[Items], T (&out)[Items]) {
        for (int i = 0; i < Items; i++) at(Block::template place<from, Items>(i)) = in[i];
        if (from == Order::WarpStriped || to == Order::WarpStriped) __syncwarp(emu_cub::lanes(32));
        else __syncthreads();
        for (int i = 0; i < Items; i++) out[i] = at(Block::template place<to, Items>(i));
    }
    template <Order to, class Rank> EMU_INLINE void scatter(const T (&in)[Items], T (&out)[Items], Rank (&ranks)[Items]) {
        for (int i = 0; i < Items; i++) at(int(ranks[i])) = in[i];
        __syncthreads();
        for (int i = 0; i < Items; i++) out[i] = at(Block::template place<to, Items>(i));
    }

public:
    struct TempStorage { T emu_items[count + (padded ? count / 32 : 0)]; };
    EMU_RAW BlockExchange(TempStorage& storage) : emu_storage(storage) {}

#define EMU_EXCHANGE(name, from, to)                                                                                    \
    EMU_INLINE void name(const T (&in)[Items], T (&out)[Items]) { exchange<Order::from, Order::to>(in, out); }          \
    EMU_INLINE void name(T (&items)[Items]) { exchange<Order::from, Order::to>(items, items); }
    EMU_EXCHANGE(StripedToBlocked, Striped, Blocked)
    EMU_EXCHANGE(BlockedToStriped, Blocked, Striped)
    EMU_EXCHANGE(WarpStripedToBlocked, WarpStriped, Blocked)
    EMU_EXCHANGE(BlockedToWarpStriped, Blocked, WarpStriped)
#undef EMU_EXCHANGE
#define EMU_SCATTER(name, to)                                                                                           \
    template <class Rank> EMU_INLINE void name(const T (&in)[Items], T (&out)[Items], Rank (&ranks)[Items]) {           \
        scatter<Order::to>(in, out, ranks);                                                                             \
    }                                                                                                                   \
    template <class Rank> EMU_INLINE void name(T (&items)[Items], Rank (&ranks)[Items]) { scatter<Order::to>(items, items, ranks); }
    EMU_SCATTER(ScatterToBlocked, Blocked)
    EMU_SCATTER(ScatterToStriped, Striped)
#undef EMU_SCATTER

private:
    TempStorage& emu_storage;
};
}  // namespace cub
