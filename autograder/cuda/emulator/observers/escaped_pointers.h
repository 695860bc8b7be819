// Pointers into shared memory that a block leaves outside it, for another block to find. Every block has its shared
// memory at the same addresses here, so such a pointer would lead the other block to its own. What it reads is
// therefore changed, before it reads it, into an address that lies nowhere and says what it meant. (A pointer that a
// cluster has of one of its blocks stays good within the cluster.)
#pragma once
#include "launch/stop.h"
#include "events/observer.h"

struct EscapedPointers : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::Covered;
    static constexpr int turn = 4;              // changes what Trace shows
    static constexpr u64 ESCAPED = 1ull << 63;  // | block << 32 | offset in the kernel's data

    struct Escaped {
        u64 place, pointer;  // the word that holds it, and what it is to its own block
        u32 block;
        u64 in_cluster;  // what it is to the other blocks of the cluster; 0: nothing
    };
    static inline Vector<Escaped> escaped;
    static inline Vector<u64> written;  // words just now: what they hold is known at the thread's next event

    static ALWAYS_INLINE void settle() {
        if (UNLIKELY(written.count)) look_at_written();
    }

    static ALWAYS_INLINE void access(const Access& a) {
        if (LIKELY(a.size < 8) || a.at.variable->space == Space::Shared) return;
        for (u64 i = 0; UNLIKELY(i < escaped.count); i++) {
            const Escaped& e = escaped.items[i];
            if (e.place - a.address >= a.size) continue;
            u64 encoded = ESCAPED | (u64)e.block << 32 | (e.pointer - module_region.low);
            u64& word = *(u64*)e.place;
            if (word == e.pointer || word == encoded || (word == e.in_cluster && word)) word = meant_here(e, encoded);
            else escaped.items[i--] = escaped.items[--escaped.count];  // overwritten, in parts
        }
        if (a.action == Action::Read) return;
        for (u64 word = a.address & ~7ull; word < a.address + a.size; word += 8) written.push() = word;
    }

    static void access_nowhere(u64 address, u64 size, Action action, const void* site) {
        if (!is_escaped(address)) return;
        const Variable* v = nearest_variable(module_region, pointer_of(address));
        i64 offset = i64(pointer_of(address) - v->start);
        stop(EscapedPointer{block_of(address), u32(v - variables), offset, size, action, location(*current, site)});
    }

private:
    static u64 meant_here(const Escaped& e, u64 encoded) {
        if (e.block == block.linear) return e.pointer;
        return e.in_cluster && in_one_cluster(e.block, block.linear) ? e.in_cluster : encoded;
    }

    static bool is_escaped(u64 address) {
        return escaped.count && address & ESCAPED && (address & ~ESCAPED) >> 32 < block_count();
    }
    static u32 block_of(u64 address) { return u32((address & ~ESCAPED) >> 32); }
    static u64 pointer_of(u64 address) { return module_region.low + u32(address); }

    static __attribute__((noinline)) void look_at_written() {
        for (u64 i = 0; i < written.count; i++) {
            u64 place = written.items[i], k = 0;
            Escaped now = {place, *(const u64*)place, block.linear, 0};
            while (k < escaped.count && escaped.items[k].place != place) k++;
            bool handed_on = is_escaped(now.pointer);
            bool of_cluster = is_in_slots(now.pointer) && find_remote(now.pointer, 1).variable;
            if (handed_on) now = {place, pointer_of(now.pointer), block_of(now.pointer), 0};
            if (of_cluster) now = {place, home_of(now.pointer), owner_of_slot(slot_of(now.pointer)), now.pointer};
            if (handed_on || of_cluster || is_shared(now.pointer)) {
                if (k == escaped.count) escaped.push();
                escaped.items[k] = now;
            } else if (k < escaped.count) {
                escaped.items[k] = escaped.items[--escaped.count];
            }
        }
        written.count = 0;
    }
};
