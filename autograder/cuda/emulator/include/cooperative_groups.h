// Cooperative groups, see the CUDA C++ Programming Guide, "Cooperative Groups". A group within a warp is
// the mask of its lanes; what it does is the warp function over that mask.
#pragma once

namespace cooperative_groups {
namespace emu_groups {
EMU_FN unsigned thread_rank() {
    const EmuIndex &t = emu_index->thread, &b = emu_shape.block;
    return (t.z * b.y + t.y) * b.x + t.x;
}
EMU_FN unsigned block_size() { return emu_shape.block.x * emu_shape.block.y * emu_shape.block.z; }
EMU_FN unsigned block_rank() {
    const EmuIndex &b = emu_index->block, &g = emu_shape.grid;
    return (b.z * g.y + b.y) * g.x + b.x;
}
EMU_FN unsigned lane() { return thread_rank() % 32; }
EMU_FN unsigned below(unsigned mask, unsigned lane) { return __builtin_popcount(mask & ((1u << lane) - 1)); }
// The lane of the member with this rank.
EMU_FN unsigned member(unsigned mask, unsigned rank) {
    for (unsigned lane = 0; lane < 32; lane++)
        if ((mask >> lane & 1) && rank-- == 0) return lane;
    return 0;
}
// The members of `lanes` by their ranks in the group, instead of by their lanes.
EMU_FN unsigned packed(unsigned mask, unsigned lanes) {
    unsigned out = 0, rank = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        if (mask >> lane & 1) out |= (lanes >> lane & 1) << rank++;
    return out;
}
// A value of any size, exchanged in pieces of eight bytes.
template <class T> EMU_FN T take(unsigned mask, T value, unsigned from, const void* site, const char* function = __builtin_FUNCTION()) {
    static_assert(sizeof(T) <= 32 && __is_trivially_copyable(T), "a group exchanges values of at most 32 bytes that can be copied bytewise");
    T out;
    for (unsigned at = 0; at < sizeof(T); at += 8) {
        unsigned long long word = 0;
        unsigned n = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
        __builtin_memcpy(&word, (const char*)&value + at, n);
        const EmuExchange* x = emu_warp_exchange(mask, word, site, function);
        word = (x->lanes >> from) & 1 ? x->value[from] : emu_value_of_nobody(from, site);
        __builtin_memcpy((char*)&out + at, &word, n);
    }
    return out;
}
EMU_FN unsigned votes(unsigned mask, bool p, const void* site, const char* function = __builtin_FUNCTION()) {
    return mask & emu_of_lanes(emu_warp_exchange(mask, p, site, function), false);
}
template <class T> EMU_FN unsigned equals(unsigned mask, T value, const void* site, const char* function = __builtin_FUNCTION()) {
    return mask & emu_of_lanes(emu_warp_exchange(mask, emu_bits(value), site, function), true);
}
}  // namespace emu_groups

// Who makes a group must have one of these, and a kernel's text cannot name it.
struct emu_key { explicit emu_key() = default; };

// Any group of at most a block: what the others turn into where a function takes a `thread_group`.
class thread_group {
protected:
    unsigned emu_mask;  // of lanes; 0: the block
    unsigned emu_meta_rank = 0, emu_meta_size = 1;
public:
    EMU_RAW thread_group(emu_key, unsigned mask, unsigned rank = 0, unsigned size = 1) : emu_mask(mask), emu_meta_rank(rank), emu_meta_size(size) {}
    EMU_RAW unsigned emu_lanes() const { return emu_mask; }
    EMU_RAW unsigned long long size() const { return emu_mask ? __builtin_popcount(emu_mask) : emu_groups::block_size(); }
    EMU_RAW unsigned long long num_threads() const { return size(); }
    EMU_RAW unsigned long long thread_rank() const {
        return emu_mask ? emu_groups::below(emu_mask, emu_groups::lane()) : emu_groups::thread_rank();
    }
    EMU_METHOD void sync() const {
        if (emu_mask) emu_warp_barrier(emu_mask, EMU_SITE);
        else emu_barrier(EMU_SITE);
    }
};

// A group whose barrier is not emulated in two halves.
struct emu_whole_barrier {
    template <bool known = false> EMU_RAW static int barrier_arrive() {
        static_assert(known, "barrier_arrive of a grid is not supported by the emulator");
        return 0;
    }
    template <class... Token> EMU_RAW static void barrier_wait(Token&&...) {}
};

// Where the warps of tiles of more than 32 threads meet, and leave each other values of up to 32 bytes.
struct emu_tile_memory {
    struct Tile { unsigned long long arrived; };  // how many threads, and in the upper half how often all did
    struct __attribute__((aligned(16))) Value { char bytes[32]; };
    Tile* tiles = nullptr;  // of one tile of 1024 threads from the second on, then of two of 512, and so on
    Value* values = nullptr;  // of each warp
};
template <unsigned Threads = 1024> struct block_tile_memory {
    emu_tile_memory::Tile emu_tiles[32];
    emu_tile_memory::Value emu_values[(Threads + 31) / 32];
};

class thread_block : public thread_group {
    emu_tile_memory emu_memory;
public:
    EMU_RAW explicit thread_block(emu_key key, emu_tile_memory memory = {}) : thread_group(key, 0u), emu_memory(memory) {}
    EMU_RAW emu_tile_memory emu_tiles() const { return emu_memory; }
    EMU_METHOD static void sync() { emu_barrier(EMU_SITE); }
    struct arrival_token {};
    EMU_RAW static arrival_token barrier_arrive() { return {}; }  // (as in NVIDIA's header: threads meet where they wait)
    EMU_METHOD static void barrier_wait(arrival_token&&) { emu_barrier(EMU_SITE); }
    EMU_RAW static unsigned thread_rank() { return emu_groups::thread_rank(); }
    EMU_RAW static unsigned size() { return emu_groups::block_size(); }
    EMU_RAW static unsigned num_threads() { return emu_groups::block_size(); }
    EMU_RAW static dim3 group_index() { return blockIdx; }
    EMU_RAW static dim3 thread_index() { return threadIdx; }
    EMU_RAW static dim3 group_dim() { return blockDim; }
    EMU_RAW static dim3 dim_threads() { return blockDim; }
};
EMU_FN thread_block this_thread_block() { return thread_block(emu_key()); }
template <unsigned Threads> EMU_INLINE thread_block this_thread_block(block_tile_memory<Threads>& memory) {
    for (unsigned i = emu_groups::thread_rank(); i < 32; i += emu_groups::block_size()) memory.emu_tiles[i].arrived = 0;
    __syncthreads();
    return thread_block(emu_key(), {memory.emu_tiles, memory.emu_values});
}

class grid_group : public emu_whole_barrier {
public:
    EMU_RAW explicit grid_group(emu_key) {}
    EMU_RAW bool is_valid() const { return true; }
    EMU_METHOD void sync() const { emu_grid_barrier(EMU_SITE); }
    EMU_RAW static unsigned long long num_blocks() { return (unsigned long long)emu_shape.grid.x * emu_shape.grid.y * emu_shape.grid.z; }
    EMU_RAW static unsigned long long block_rank() { return emu_groups::block_rank(); }
    EMU_RAW static unsigned long long num_threads() { return num_blocks() * emu_groups::block_size(); }
    EMU_RAW static unsigned long long size() { return num_threads(); }
    EMU_RAW static unsigned long long thread_rank() { return block_rank() * emu_groups::block_size() + emu_groups::thread_rank(); }
    EMU_RAW static dim3 group_dim() { return gridDim; }
    EMU_RAW static dim3 dim_blocks() { return gridDim; }
    EMU_RAW static dim3 block_index() { return blockIdx; }
};
EMU_FN grid_group this_grid() { return grid_group(emu_key()); }

// The blocks that __cluster_dims__ puts together; without it, each block is a cluster.
class cluster_group {
    EMU_RAW static unsigned x() { return emu_index->block.x % emu_shape.cluster.x; }
    EMU_RAW static unsigned y() { return emu_index->block.y % emu_shape.cluster.y; }
    EMU_RAW static unsigned z() { return emu_index->block.z % emu_shape.cluster.z; }
    EMU_RAW static dim3 extent() { return dim3(emu_shape.cluster.x, emu_shape.cluster.y, emu_shape.cluster.z); }
public:
    struct arrival_token {};
    EMU_RAW explicit cluster_group(emu_key) {}
    EMU_METHOD static void sync() { emu_cluster_barrier(EMU_SITE); }
    EMU_METHOD static arrival_token barrier_arrive() {
        emu_cluster_arrive(EMU_SITE);
        return {};
    }
    EMU_METHOD static void barrier_wait() { emu_cluster_wait(EMU_SITE); }
    EMU_METHOD static void barrier_wait(arrival_token&&) { emu_cluster_wait(EMU_SITE); }
    template <class T> EMU_METHOD static T* map_shared_rank(T* address, int rank) {
        return (T*)emu_cluster_map((const void*)address, unsigned(rank), EMU_SITE);
    }
    EMU_METHOD static unsigned query_shared_rank(const void* address) { return emu_cluster_rank_of(address, EMU_SITE); }
    EMU_RAW static dim3 dim_blocks() { return extent(); }
    EMU_RAW static unsigned num_blocks() { return emu_shape.cluster.x * emu_shape.cluster.y * emu_shape.cluster.z; }
    EMU_RAW static dim3 block_index() { return dim3(x(), y(), z()); }
    EMU_RAW static unsigned block_rank() { return (z() * emu_shape.cluster.y + y()) * emu_shape.cluster.x + x(); }
    EMU_RAW static dim3 dim_threads() {
        dim3 blocks = extent();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    EMU_RAW static unsigned num_threads() { return num_blocks() * emu_groups::block_size(); }
    EMU_RAW static unsigned size() { return num_threads(); }
    EMU_RAW static dim3 thread_index() {
        return dim3(x() * blockDim.x + threadIdx.x, y() * blockDim.y + threadIdx.y, z() * blockDim.z + threadIdx.z);
    }
    EMU_RAW static unsigned thread_rank() { return block_rank() * emu_groups::block_size() + emu_groups::thread_rank(); }
};
EMU_FN cluster_group this_cluster() { return cluster_group(emu_key()); }

// What tiles and coalesced groups share.
class coalesced_group : public thread_group {
protected:
    EMU_RAW unsigned member(unsigned rank) const { return emu_groups::member(emu_mask, rank); }
    EMU_RAW unsigned rank() const { return emu_groups::below(emu_mask, emu_groups::lane()); }
    EMU_RAW unsigned count() const { return unsigned(__builtin_popcount(emu_mask)); }
public:
    EMU_RAW coalesced_group(emu_key key, unsigned mask, unsigned rank, unsigned size) : thread_group(key, mask, rank, size) {}
    EMU_RAW unsigned size() const { return count(); }
    EMU_RAW unsigned num_threads() const { return count(); }
    EMU_RAW unsigned thread_rank() const { return rank(); }
    EMU_RAW unsigned meta_group_rank() const { return emu_meta_rank; }
    EMU_RAW unsigned meta_group_size() const { return emu_meta_size; }
    EMU_METHOD void sync() const { emu_warp_barrier(emu_mask, EMU_SITE); }
    template <class T> EMU_METHOD T shfl(T v, int from) const { return emu_groups::take(emu_mask, v, member(unsigned(from) % count()), EMU_SITE); }
    template <class T> EMU_METHOD T shfl_up(T v, unsigned delta) const {
        return emu_groups::take(emu_mask, v, rank() < delta ? emu_groups::lane() : member(rank() - delta), EMU_SITE);
    }
    template <class T> EMU_METHOD T shfl_down(T v, unsigned delta) const {
        return emu_groups::take(emu_mask, v, rank() + delta >= count() ? emu_groups::lane() : member(rank() + delta), EMU_SITE);
    }
    EMU_METHOD int any(int p) const { return emu_groups::votes(emu_mask, p != 0, EMU_SITE) != 0; }
    EMU_METHOD int all(int p) const { return emu_groups::votes(emu_mask, p == 0, EMU_SITE) == 0; }
    EMU_METHOD unsigned ballot(int p) const { return emu_groups::packed(emu_mask, emu_groups::votes(emu_mask, p != 0, EMU_SITE)); }
    template <class T, EMU_IF(emu_is_exchanged<T>)> EMU_METHOD unsigned match_any(T v) const {
        return emu_groups::packed(emu_mask, emu_groups::equals(emu_mask, v, EMU_SITE));
    }
    template <class T, EMU_IF(emu_is_exchanged<T>)> EMU_INLINE unsigned match_all(T v, int& all_equal) const {
        unsigned same = emu_groups::equals(emu_mask, v, emu_here());
        all_equal = same == emu_mask;
        return same == emu_mask ? emu_groups::packed(emu_mask, same) : 0;
    }
};
template <class Group> inline constexpr bool emu_within_warp = __is_base_of(coalesced_group, Group);
// Those lanes of the warp that run together here.
EMU_CALL coalesced_group coalesced_threads() { return coalesced_group(emu_key(), emu_active_mask(EMU_SITE), 0, 1); }

// (The last parameter chooses one of the two definitions.)
template <unsigned Size, class Parent = void, bool = (Size > 32)> class thread_block_tile : public coalesced_group {
    static_assert(Size && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");
public:
    EMU_RAW thread_block_tile(emu_key key, unsigned mask, unsigned rank, unsigned size) : coalesced_group(key, mask, rank, size) {}
    template <class Whole = void, EMU_IF(__is_void(Whole) && !__is_void(Parent))> EMU_RAW operator thread_block_tile<Size, Whole>() const {
        return {emu_key(), emu_mask, emu_meta_rank, emu_meta_size};
    }
    EMU_RAW static constexpr unsigned size() { return Size; }
    EMU_RAW static constexpr unsigned num_threads() { return Size; }
    EMU_RAW static unsigned thread_rank() { return emu_groups::lane() % Size; }
    template <class T> EMU_METHOD T shfl(T v, int from) const {
        return emu_groups::take(emu_mask, v, emu_groups::lane() / Size * Size + unsigned(from) % Size, EMU_SITE);
    }
    template <class T> EMU_METHOD T shfl_xor(T v, unsigned lanes) const {
        unsigned self = emu_groups::lane(), from = self ^ lanes;
        return emu_groups::take(emu_mask, v, from / Size == self / Size ? from : self, EMU_SITE);
    }
};
// A tile of several warps: they meet at a word of the block's memory, and exchange values there.
template <unsigned Size, class Parent> class thread_block_tile<Size, Parent, true> {
    static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two, and at most that of a block");
    emu_tile_memory emu_memory;
    unsigned emu_meta_size;
    // Threads learn from the times that they waited for, which take turns with two addresses (see cuda::barrier).
    EMU_METHOD void meet(const void* site) const {
        unsigned long long* word = &emu_memory.tiles[1024 / Size + emu_groups::thread_rank() / Size].arrived;
        emu_atomic(word, sizeof *word, EMU_SCOPE_BLOCK, site);
        unsigned times = unsigned(*word >> 32), arrived = unsigned(*word) + 1;
        const void* half = (const char*)word + 4 * (times & 1);
        emu_release(half, EMU_SCOPE_BLOCK);
        *word = arrived == Size ? (times + 1ull) << 32 : (unsigned long long)times << 32 | arrived;
        for (emu_atomic(word, sizeof *word, EMU_SCOPE_BLOCK, site); unsigned(*word >> 32) == times; emu_atomic(word, sizeof *word, EMU_SCOPE_BLOCK, site))
            emu_spin(word, site);
        emu_pass_barrier(half, EMU_SCOPE_BLOCK);
    }
public:
    EMU_RAW thread_block_tile(emu_key, emu_tile_memory memory, unsigned meta_size) : emu_memory(memory), emu_meta_size(meta_size) {}
    template <class Whole = void, EMU_IF(__is_void(Whole) && !__is_void(Parent))> EMU_RAW operator thread_block_tile<Size, Whole>() const { return {emu_key(), emu_memory, emu_meta_size}; }
    EMU_RAW emu_tile_memory emu_tiles() const { return emu_memory; }
    EMU_RAW static constexpr unsigned size() { return Size; }
    EMU_RAW static constexpr unsigned num_threads() { return Size; }
    EMU_RAW static unsigned thread_rank() { return emu_groups::thread_rank() % Size; }
    EMU_RAW unsigned meta_group_rank() const { return emu_groups::thread_rank() / Size % emu_meta_size; }
    EMU_RAW unsigned meta_group_size() const { return emu_meta_size; }
    EMU_METHOD void sync() const { meet(EMU_SITE); }
    // The values of the tile's warps, of which each thread gives its warp's, one after the other.
    template <class T, class Op> EMU_INLINE T emu_over_warps(T of_warp, Op op) const {
        static_assert(sizeof(T) <= 32 && __is_trivially_copyable(T), "a group exchanges values of at most 32 bytes that can be copied bytewise");
        unsigned warp = emu_groups::thread_rank() / 32, first = emu_groups::thread_rank() / Size * Size / 32;
        if (emu_groups::lane() == 0) *(T*)emu_memory.values[warp].bytes = of_warp;
        sync();
        T all = *(const T*)emu_memory.values[first].bytes;
        for (unsigned i = 1; i < Size / 32; i++) all = op(all, *(const T*)emu_memory.values[first + i].bytes);
        sync();
        return all;
    }
    template <class T> EMU_INLINE T shfl(T v, int from) const {
        static_assert(sizeof(T) <= 32 && __is_trivially_copyable(T), "a group exchanges values of at most 32 bytes that can be copied bytewise");
        char* place = emu_memory.values[emu_groups::thread_rank() / Size * Size / 32].bytes;
        if (thread_rank() == unsigned(from) % Size) *(T*)place = v;
        sync();
        T out = *(const T*)place;
        sync();
        return out;
    }
    EMU_INLINE int any(int p) const { return emu_over_warps(int(__any_sync(~0u, p)), [](int a, int b) EMU_RAW { return int(a || b); }); }
    EMU_INLINE int all(int p) const { return emu_over_warps(int(__all_sync(~0u, p)), [](int a, int b) EMU_RAW { return int(a && b); }); }
};
// A part of Size threads of a block, of a tile, or of what thread_group stands for.
EMU_FN unsigned emu_tile_mask(unsigned size) {
    unsigned first = emu_groups::lane() / size * size;
    return (size == 32 ? ~0u : (1u << size) - 1) << first;
}
EMU_CALL void emu_need_memory(emu_tile_memory memory) {
    if (!memory.tiles) emu_misuse("large tile", EMU_SITE);
}
template <unsigned Size> EMU_INLINE thread_block_tile<Size, thread_block> tiled_partition(const thread_block& block) {
    unsigned tiles = (emu_groups::block_size() + Size - 1) / Size;
    if constexpr (Size > 32) {
        emu_need_memory(block.emu_tiles());
        return {emu_key(), block.emu_tiles(), tiles};
    } else {
        return {emu_key(), emu_tile_mask(Size), emu_groups::thread_rank() / Size, tiles};
    }
}
template <unsigned Size, unsigned From, class P>
EMU_INLINE thread_block_tile<Size, thread_block_tile<From, P>> tiled_partition(const thread_block_tile<From, P>& tile) {
    static_assert(Size <= From, "a part is at most as large as the whole");
    if constexpr (Size > 32) return {emu_key(), tile.emu_tiles(), From / Size};
    else return {emu_key(), emu_tile_mask(Size), emu_groups::thread_rank() % From / Size, From / Size};
}
EMU_FN coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
    unsigned rank = unsigned(parent.thread_rank()) / size, mask = 0, i = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        if (parent.emu_lanes() >> lane & 1) mask |= unsigned(i++ / size == rank) << lane;
    return coalesced_group(emu_key(), mask, rank, unsigned(parent.size() + size - 1) / size);
}
EMU_FN thread_group tiled_partition(const thread_group& parent, unsigned size) {
    if (size > 32) emu_misuse("large tile", EMU_SITE);
    if (!parent.emu_lanes()) return thread_group(emu_key(), emu_tile_mask(size), emu_groups::thread_rank() / size, (emu_groups::block_size() + size - 1) / size);
    return tiled_partition((const coalesced_group&)parent, size);
}
template <class Group, EMU_IF(emu_within_warp<Group>)> EMU_METHOD coalesced_group binary_partition(const Group& group, bool p) {
    unsigned all = group.emu_lanes(), yes = emu_groups::votes(all, p, EMU_SITE);
    return coalesced_group(emu_key(), p ? yes : all & ~yes, p, 2);
}
template <class Label, class Group, EMU_IF(emu_within_warp<Group> && emu_is_exchanged<Label>)> EMU_METHOD coalesced_group labeled_partition(const Group& group, Label label) {
    unsigned all = group.emu_lanes(), mine = emu_groups::equals(all, label, EMU_SITE);
    // Ranked by the first lane of each label: a second exchange tells which lane that is.
    unsigned firsts = emu_groups::votes(all, emu_groups::below(mine, emu_groups::lane()) == 0, EMU_SITE);
    unsigned first = unsigned(__builtin_ctz(mine));
    return coalesced_group(emu_key(), mine, emu_groups::below(firsts, first), unsigned(__builtin_popcount(firsts)));
}

// ---- the same as functions -----------------------------------------------------------------------------
EMU_METHOD inline void sync(const thread_block&) { emu_barrier(EMU_SITE); }
EMU_METHOD inline void sync(const grid_group&) { emu_grid_barrier(EMU_SITE); }
EMU_METHOD inline void sync(const cluster_group&) { emu_cluster_barrier(EMU_SITE); }
EMU_METHOD inline void sync(const thread_group& g) {
    if (g.emu_lanes()) emu_warp_barrier(g.emu_lanes(), EMU_SITE);
    else emu_barrier(EMU_SITE);
}
template <class Group> EMU_FN auto thread_rank(const Group& g) { return g.thread_rank(); }
template <class Group> EMU_FN auto group_size(const Group& g) { return g.size(); }

// ---- what one thread does for its group -------------------------------------------------------------------
template <class Group, class Fn, class... Args> EMU_INLINE void invoke_one(const Group& group, Fn&& fn, Args&&... args) {
    if (group.thread_rank() == 0) static_cast<Fn&&>(fn)(static_cast<Args&&>(args)...);
}
template <class Group, class Fn, class... Args>
EMU_INLINE auto invoke_one_broadcast(const Group& group, Fn&& fn, Args&&... args) {
    decltype(static_cast<Fn&&>(fn)(static_cast<Args&&>(args)...)) result{};
    if (group.thread_rank() == 0) result = static_cast<Fn&&>(fn)(static_cast<Args&&>(args)...);
    return group.shfl(result, 0);
}

// ---- operators for reduce and scan -----------------------------------------------------------------------
template <class T> struct plus { EMU_RAW T operator()(T a, T b) const { return T(a + b); } };
template <class T> struct less { EMU_RAW T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { EMU_RAW T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { EMU_RAW T operator()(T a, T b) const { return T(a & b); } };
template <class T> struct bit_or { EMU_RAW T operator()(T a, T b) const { return T(a | b); } };
template <class T> struct bit_xor { EMU_RAW T operator()(T a, T b) const { return T(a ^ b); } };
template <class Group> EMU_FN unsigned emu_size(const Group& g) { return unsigned(__builtin_popcount(g.emu_lanes())); }
}  // namespace cooperative_groups
