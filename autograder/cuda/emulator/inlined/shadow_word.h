// How two words for each element tell that an access is fine. In a barrier interval, many threads may read an element,
// or one may use it; a block's own intervals are ordered, blocks are not.
#pragma once
#include "cached_access.h"

// (The kernel's own code has them in another address space.) A word is (block + 1) << 32 | interval << 11 | thread. What another block left in shared memory does not count.
constexpr u64 MANY = 2047, BY_ATOMICS = 2046;  // in place of the one thread, of which there are at most 1024
constexpr u64 ANY_BLOCK = ~0ull;

template <class Words> static ALWAYS_INLINE bool is_fine_in_shared(Words& u, Action action, u64 me) {
    u64 now = me >> 11, block_of = me >> 32;
    bool written = u.writer >> 11 == now && u.writer != me;
    if (action == Action::Read) {
        if (UNLIKELY(written || u.writer >> 32 != block_of)) return false;
        if (u.reader >> 11 != now) u.reader = me;
        else if (u.reader != me) u.reader = me | MANY;
        return true;
    }
    if (UNLIKELY(u.reader >> 11 == now && u.reader != me)) return false;
    if (action == Action::Write) {
        if (UNLIKELY(written)) return false;
        u.writer = me;
    } else {
        u64 atomics = now << 11 | BY_ATOMICS;
        // The thread's own plain write counts too: the word has no room for both.
        bool plain = u.writer >> 11 == now && u.writer != atomics;
        if (UNLIKELY(plain || u.writer >> 32 != block_of)) return false;
        u.writer = atomics;
    }
    return true;
}

template <class Words> static ALWAYS_INLINE bool is_fine_in_global(Words& u, Action action, u64 me) {
    u64 block_of = me >> 32, now = me >> 11, w = u.writer, r = u.reader;
    if (action == Action::Atomic) {
        if (UNLIKELY((w && w != ANY_BLOCK) || (r && r != me))) return false;
        u.writer = ANY_BLOCK;
        return true;
    }
    if (UNLIKELY(w && (w >> 32 != block_of || (w >> 11 == now && w != me)))) return false;
    if (action == Action::Read) {
        if (r == me || r == ANY_BLOCK) return true;
        if (!r || (r >> 32 == block_of && r >> 11 != now)) u.reader = me;
        else u.reader = r >> 32 == block_of ? me | MANY : ANY_BLOCK;
        return true;
    }
    if (UNLIKELY(r && r != me && (r >> 32 != block_of || r >> 11 == now))) return false;
    u.writer = me;
    return true;
}

// True: the thread `me` may use the element so, and now it has. False: it might be wrong.
template <class Words> static ALWAYS_INLINE bool is_fine(Words& u, Action action, bool shared, u64 me) {
    return shared ? is_fine_in_shared(u, action, me) : is_fine_in_global(u, action, me);
}
