// What CUB's collectives share, see the CUB documentation. They are CUB's own ways to do it, of which a block's take one,
// whatever algorithm they are asked for: shuffles within a warp, then one number of each warp in shared memory, and one
// barrier. So a sum of floats is rounded as by CUB's BLOCK_REDUCE_WARP_REDUCTIONS, and whoever uses a TempStorage again
// without a barrier has a race. All of it happens at the line that calls.
#pragma once
#include <cooperative_groups.h>
#include "algorithms.cuh"

namespace cub {
struct Sum {
    template <class A, class B> EMU_RAW constexpr auto operator()(const A& a, const B& b) const { return a + b; }
};
struct Max {
    template <class A, class B> EMU_RAW constexpr auto operator()(const A& a, const B& b) const { return a < b ? b : a; }
};
struct Min {
    template <class A, class B> EMU_RAW constexpr auto operator()(const A& a, const B& b) const { return b < a ? b : a; }
};
template <class Key, class Value> struct KeyValuePair {
    Key key;
    Value value;
};
// Of two pairs, the one with the larger (smaller) value; of equal ones, the one with the smaller key.
struct ArgMax {
    template <class P> EMU_RAW constexpr P operator()(const P& a, const P& b) const {
        return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class P> EMU_RAW constexpr P operator()(const P& a, const P& b) const {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

namespace emu_cub {
// A result that CUB promises to other threads only: whoever uses it must see it. Not a number, or as good as.
template <class T> EMU_FN T unspecified() {
    struct { unsigned char x[sizeof(T)]; } bytes;
    __builtin_memset(&bytes, __is_integral(T) ? 0xaa : 0xff, sizeof bytes);
    return __builtin_bit_cast(T, bytes);
}
// How the items of a block, or of a warp, are dealt out: thread by thread, or row by row.
enum class Order { Blocked, Striped, WarpStriped };
// In which order they lie in memory; the algorithms of BlockStore have the same numbers.
constexpr Order order_of(int algorithm) {
    return algorithm == BLOCK_LOAD_STRIPED || algorithm == BLOCK_LOAD_TRANSPOSE ? Order::Striped
         : algorithm >= BLOCK_LOAD_WARP_TRANSPOSE                               ? Order::WarpStriped
                                                                                : Order::Blocked;
}
// The block as the template's arguments describe it.
template <int X, int Y, int Z> struct Block {
    static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;
    EMU_RAW static int rank() { return int((threadIdx.z * Y + threadIdx.y) * X + threadIdx.x); }
    // Where the i-th of this thread's items is.
    template <Order order, int Items> EMU_RAW static int place(int i) {
        int self = rank();
        if (order == Order::Blocked) return self * Items + i;
        if (order == Order::Striped) return i * threads + self;
        return self / 32 * 32 * Items + i * (threads < 32 ? threads : 32) + self % 32;
    }
};
// The lanes of this one's part of a warp, of `size` lanes: those that the block has.
EMU_FN unsigned lanes(unsigned size) {
    unsigned self = cooperative_groups::emu_groups::thread_rank(), first = self / size * size;
    unsigned left = cooperative_groups::emu_groups::block_size() - first, count = left < size ? left : size;
    return (count == 32 ? ~0u : (1u << count) - 1) << first % 32;
}
EMU_FN int lane(unsigned size = 32) { return int(cooperative_groups::emu_groups::lane() % size); }
// Of the lane that many lanes up or down within a part of a warp; its own where there is none.
template <class T> EMU_FN T from_above(T value, int step, unsigned size, const void* site) {
    unsigned mask = lanes(size), self = cooperative_groups::emu_groups::lane(), from = self + unsigned(step);
    bool there = from < 32 && (mask >> from & 1);
    return cooperative_groups::emu_groups::take(mask, value, there ? from : self, site, "WarpReduce");
}
template <class T> EMU_FN T from_below(T value, int step, unsigned size, const void* site) {
    unsigned mask = lanes(size), self = cooperative_groups::emu_groups::lane(), from = self - unsigned(step);
    bool there = from < 32 && (mask >> from & 1);
    return cooperative_groups::emu_groups::take(mask, value, there ? from : self, site, "WarpScan");
}
template <class T> EMU_FN T from_lane(T value, int source, unsigned size, const void* site) {
    unsigned self = cooperative_groups::emu_groups::lane(), from = self / size * size + unsigned(source);
    return cooperative_groups::emu_groups::take(lanes(size), value, from % 32, site, "__shfl_sync");
}
// The reduction of the first `valid` lanes, in the first one.
template <class T, class Op> EMU_INLINE T reduce_lanes(T value, Op op, int valid, unsigned size) {
    int self = lane(size);
    for (int step = 1; step < int(size); step *= 2) {
        T other = from_above(value, step, size, emu_here());
        if (self + step < valid) value = op(value, other);
    }
    return value;
}
// The inclusive scan.
template <class T, class Op> EMU_INLINE T scan_lanes(T value, Op op, unsigned size) {
    int self = lane(size);
    for (int step = 1; step < int(size); step *= 2) {
        T other = from_below(value, step, size, emu_here());
        if (self >= step) value = op(other, value);
    }
    return value;
}
// A thread's items: one after the other, but a sum by pairs of neighbors, pairs of pairs, and so on.
template <class T, int Items, class Op> EMU_INLINE T reduce_items(T (&items)[Items], Op op) {
    T part[Items];
    for (int i = 0; i < Items; i++) part[i] = items[i];
    if constexpr (__is_same(Op, Sum)) {
        for (int step = 1; step < Items; step *= 2)
            for (int i = 0; i + step < Items; i += 2 * step) part[i] = op(part[i], part[i + step]);
    } else {
        for (int i = 1; i < Items; i++) part[0] = op(part[0], part[i]);
    }
    return part[0];
}
}  // namespace emu_cub
}  // namespace cub
