// Vector clocks: what is known of the accesses of other threads and blocks. A clock is an immutable trie, whose parts
// other clocks share: so one more entry costs a path of it, whatever else it holds, and what two clocks have in common is
// seen by its address. (Of n threads that each learn of all before them, whole copies would take n squared.)
//
// The values of 32 neighbours are one leaf: the lanes of a warp, mostly. A value of 0 is none, and takes no room. Inner nodes branch at the
// highest bit in which the keys below them differ.
#pragma once
#include "launch/allocate.h"

struct VectorClock {
    u64 key;  // a leaf's; of a branch, the bits that all keys below it share, and no more
    u64 bit;  // at which it branches; 0: a leaf
};
struct ClockBranch : VectorClock {
    const VectorClock* sides[2];
};
struct ClockLeaf : VectorClock {
    u32 lanes;  // that have a value
    u32 values[];
};
struct LeafValues {
    u32 of[32];
};

// Where an entry is, and what its value says.
struct ClockEntry {
    u64 key;
    u32 index;  // in the leaf
};
// A block's accesses in intervals < value.
static ClockEntry block_entry(u32 block) { return {1ull << 63 | block / 32, block % 32}; }
// A thread's accesses with clock < value.
static ClockEntry thread_entry(u32 block, u32 thread) { return {(u64)block << 16 | thread / 32, thread % 32}; }
// The atomics of one thread on one word: what an atomic releases comes with the atomic itself.
static ClockEntry atomic_entry(u64 address, u32 block, u32 thread) {
    u64 h = (address / 4 * 0x9e3779b97f4a7c15) ^ (((u64)block << 16 | thread / 32) * 0xd6e8feb86659fd93);
    return {1ull << 62 | (h ^ h >> 29) >> 2, thread % 32};
}

static u64 shared_bits(u64 key, u64 bit) { return key & ~(2 * bit - 1); }
static bool is_below(const VectorClock* c, const ClockBranch* branch) {
    return c->bit < branch->bit && shared_bits(c->key, branch->bit) == branch->key;
}

static u32 value_of(const ClockLeaf* leaf, u32 lane) {
    if (!(leaf->lanes >> lane & 1)) return 0;
    return leaf->values[__builtin_popcount(leaf->lanes & ((1u << lane) - 1))];
}

static const ClockLeaf* find_leaf(const VectorClock* c, u64 key) {  // or null
    while (c && c->bit) c = ((const ClockBranch*)c)->sides[(key & c->bit) != 0];
    return c && c->key == key ? (const ClockLeaf*)c : nullptr;
}

[[maybe_unused]] static u32 look_up(const VectorClock* c, ClockEntry entry) {
    const ClockLeaf* leaf = find_leaf(c, entry.key);
    return leaf ? value_of(leaf, entry.index) : 0;
}

// Which of these lanes of a leaf have a value above `value`.
[[maybe_unused]] static u32 lanes_above(const VectorClock* c, u64 key, u32 lanes, u32 value) {
    const ClockLeaf* leaf = find_leaf(c, key);
    u32 above = 0;
    for (u32 left = leaf ? lanes & leaf->lanes : 0; left; left &= left - 1) {
        u32 lane = u32(__builtin_ctz(left));
        above |= u32(value_of(leaf, lane) > value) << lane;
    }
    return above;
}

static const VectorClock* make_branch(u64 key, u64 bit, const VectorClock* left_side, const VectorClock* right_side) {
    ClockBranch* made = (ClockBranch*)allocate(sizeof(ClockBranch));
    *made = {{shared_bits(key, bit), bit}, {left_side, right_side}};
    return made;
}

static const VectorClock* make_leaf(u64 key, const LeafValues& values) {
    u32 lanes = 0, n = 0;
    for (u32 lane = 0; lane < 32; lane++) lanes |= u32(values.of[lane] != 0) << lane;
    ClockLeaf* made = (ClockLeaf*)allocate(sizeof(ClockLeaf) + u64(__builtin_popcount(lanes)) * sizeof(u32));
    made->key = key;
    made->lanes = lanes;
    for (u32 lane = 0; lane < 32; lane++)
        if (values.of[lane]) made->values[n++] = values.of[lane];
    return made;
}

static const VectorClock* make_clock(ClockEntry entry, u32 value) {
    if (!value) return nullptr;
    LeafValues values = {};
    values.of[entry.index] = value;
    return make_leaf(entry.key, values);
}

static const VectorClock* join_leaves(const ClockLeaf* a, const ClockLeaf* b) {
    bool a_covers = true, b_covers = true;
    LeafValues larger;
    for (u32 lane = 0; lane < 32; lane++) {
        u32 of_a = value_of(a, lane), of_b = value_of(b, lane);
        a_covers &= of_a >= of_b, b_covers &= of_b >= of_a;
        larger.of[lane] = of_a > of_b ? of_a : of_b;
    }
    return a_covers ? a : b_covers ? b : make_leaf(a->key, larger);
}

static const VectorClock* join(const VectorClock* a, const VectorClock* b);

// `c` belongs below one side of the branch.
static const VectorClock* join_below(const ClockBranch* branch, const VectorClock* c) {
    u32 side = (c->key & branch->bit) != 0;
    const VectorClock* joined = join(branch->sides[side], c);
    if (joined == branch->sides[side]) return branch;
    return side ? make_branch(branch->key, branch->bit, branch->sides[0], joined)
                : make_branch(branch->key, branch->bit, joined, branch->sides[1]);
}

// The least clock that covers both; one of the two itself where that is enough.
static const VectorClock* join(const VectorClock* a, const VectorClock* b) {
    if (!b || a == b) return a;
    if (!a) return b;
    const ClockBranch *left = (const ClockBranch*)a, *right = (const ClockBranch*)b;
    if (is_below(b, left)) return join_below(left, b);
    if (is_below(a, right)) return join_below(right, a);
    if (a->key != b->key || a->bit != b->bit) {
        u64 bit = 1ull << (63 - __builtin_clzll(a->key ^ b->key));
        return a->key & bit ? make_branch(a->key, bit, b, a) : make_branch(a->key, bit, a, b);
    }
    if (!a->bit) return join_leaves((const ClockLeaf*)a, (const ClockLeaf*)b);
    const VectorClock* left_side = join(left->sides[0], right->sides[0]);
    const VectorClock* right_side = join(left->sides[1], right->sides[1]);
    if (left_side == left->sides[0] && right_side == left->sides[1]) return a;
    if (left_side == right->sides[0] && right_side == right->sides[1]) return b;
    return make_branch(a->key, a->bit, left_side, right_side);
}
