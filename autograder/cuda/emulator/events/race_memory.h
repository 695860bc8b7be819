// The accesses that races.h remembers of each shadow word, and when one of them stands for others.
//
// Lanes of a warp that make an access alike (same instruction and clock) share a slot, so a barrier of some of them leaves
// the others. An access is forgotten only if others stand for it:
// - A later one stands for those that come before it, if it races with whatever they race with (`stands_for`): what
//   comes after the later access comes after them, too. (An atomic stands so for one of another block, too. The two differ
//   only to an atomic of block scope.)
// - If no fence or release is in the kernel, then within a barrier interval only lanes of one warp are ordered, and blocks
//   never are. So two that are of different blocks, or of different warps of the same interval as the access itself, stand
//   for it: whoever comes after both comes after the access, too, and any other thread races with one of them.
// - In a kernel with fences, nothing is forgotten so in shared memory (the warps of a block are few), and in global memory
//   nothing before MANY accesses are remembered. From then on, a race of one more may be missed: where fences order its
//   thread otherwise than those of all the others.
#pragma once
#include "launch/thread.h"

struct RaceMemory {
    static constexpr u32 MANY = 8;   // accesses, see above
    struct Slot {                    // remembered accesses of one warp
        u32 block, interval, clock;  // of an engine's: `clock` is the block of the thread that has started the copy
        u32 site;
        u32 lanes;       // that made it; 0: empty
        u16 warp, step;  // the last one's
        u8 mask;         // of the shadow word's four bytes
        Action action;
        u8 atomic_scope, atomic_bytes;  // of an atomic; 0 of any other access
    };
    struct MoreSlots {
        Slot slots[3];
        MoreSlots* next;
    };
    struct Cell {
        u32 block, interval;  // shared memory: what the slots are from
        u64 counted;          // the bytes counted here of each race: 4 bits, by its number modulo 16
        bool any_write;
        bool crowded;  // a read of it has been forgotten, since MANY are remembered
        u8 stores;     // shared memory: how often the block has written it; 2: more than once
        u32 pending;   // number + 1 of the asynchronous copy on its way here; 0: none
        Slot slots[3];
        MoreSlots* more;  // null: three were enough
    };
    static u32 thread_of(const Slot& s) { return s.warp * 32u + u32(__builtin_ctz(s.lanes)); }

    // Two atomics do not race, unless one of them is atomic only within its own block, or they are of different sizes.
    static bool both_atomic(const Slot& a, const Slot& b) {
        if (a.action != Action::Atomic || b.action != Action::Atomic || a.atomic_bytes != b.atomic_bytes) return false;
        return a.block == b.block || (a.atomic_scope == SCOPE_DEVICE && b.atomic_scope == SCOPE_DEVICE);
    }

    // Whether what nothing orders with either races with `a` if it does with `b`.
    static bool stands_for(const Slot& a, const Slot& b) {
        if (b.mask & ~a.mask) return false;
        if (a.action == Action::Write) return true;
        return a.action == b.action && a.atomic_bytes == b.atomic_bytes && a.atomic_scope <= b.atomic_scope;
    }

    // Whether `a` is the same access as `b`, of other lanes.
    static ALWAYS_INLINE bool is_alike(const Slot& a, const Slot& b) {
        return a.block == b.block && a.interval == b.interval && a.warp == b.warp && a.clock == b.clock &&
               a.site == b.site && a.mask == b.mask && a.action == b.action && a.atomic_scope == b.atomic_scope &&
               a.atomic_bytes == b.atomic_bytes;
    }

    template <class F> static ALWAYS_INLINE void each_slot(Cell& cell, F each) {
        for (Slot& s : cell.slots) each(s);
        for (MoreSlots* m = cell.more; m; m = m->next)
            for (Slot& s : m->slots) each(s);
    }

    // Whether no thread that is unordered with `now` comes after both.
    static ALWAYS_INLINE bool are_apart(const Slot& a, const Slot& b, const Slot& now) {
        if (a.block != b.block) return true;
        return a.block == now.block && a.interval == now.interval && b.interval == now.interval && a.warp != b.warp;
    }

    static bool two_stand_for(Cell& cell, const Slot& now) {
        const Slot* earlier = nullptr;
        bool found = false;
        each_slot(cell, [&](const Slot& s) {
            if (found || !s.lanes || !stands_for(s, now)) return;
            if (s.block == now.block && s.interval != now.interval) return;  // comes before the others of its block
            if (!earlier) earlier = &s;
            else found = are_apart(*earlier, s, now);
        });
        return found;
    }
};
