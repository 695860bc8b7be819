// The arrays that a thread declares for itself, on its own stack. local_arrays.py gives each a margin on both sides,
// and calls where it begins and ends. Of other variables, unset_variables.py says which are used unset.
#pragma once
#include "launch/stop.h"
#include "launch/workers.h"
#include "events/observer.h"

struct LocalArrays : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::TakesPart;
    static constexpr int turn = 3;
    enum : u8 { NOT_WATCHED = 0, MARGIN_BYTE = 1, WITHOUT_VALUE = 2, WITH_VALUE = 3 };
    static constexpr u64 MARGIN = 64;

    struct Array {
        u64 start, bytes;
        const char* name;  // "taps:4,8:4": its name, extents and the bytes of an element
    };
    struct Locals {  // of a thread
        u8* state;   // of each byte of its stack; null: it never had an array
        Vector<Array> arrays;
    };
    static inline Locals* locals;             // by the number of its stack
    static inline Vector<LocalRead> records;  // of what nobody wrote

    static void prepare() { locals = allocate_array<Locals>(request.residents * block.size); }

    static void begin_local(Thread& t, void* start, u64 bytes, const char* name) {
        Locals& l = locals[t.stack];
        if (!l.state) l.state = (u8*)allocate_lazily(STACK_BYTES);
        u64 from = (u64)start - t.stack_low;
        mark_with_margins(l, from, bytes, MARGIN_BYTE);
        __builtin_memset(l.state + from, WITHOUT_VALUE, bytes);
        for (u64 i = 0; i < l.arrays.count; i++)
            if (l.arrays.items[i].start == (u64)start) {  // declared again, in a loop
                l.arrays.items[i].name = name;
                return;
            }
        l.arrays.push() = {(u64)start, bytes, name};
    }

    static void end_local(Thread& t, void* start) {
        Locals& l = locals[t.stack];
        u64 from = (u64)start - t.stack_low, i = l.arrays.count;
        while (i > 0 && l.arrays.items[i - 1].start != (u64)start) i--;
        if (!i) return;  // its declaration was never reached
        u64 bytes = l.arrays.items[i - 1].bytes;
        for (; i < l.arrays.count; i++) l.arrays.items[i - 1] = l.arrays.items[i];
        l.arrays.count--;
        mark_with_margins(l, from, bytes, NOT_WATCHED);
    }

    // True: it lies in watched arrays alone.
    static ALWAYS_INLINE bool access_stack(Thread& t, u64 address, u64 size, Action action, const void* site) {
        const Locals& l = locals[t.stack];
        if (!l.state) return false;
        u8* state = l.state + (address - t.stack_low);
        if (LIKELY(size % 4 == 0)) {  // nearly always all is the same, which is quickly seen
            u32 all = word_of(state);
            for (u64 i = 4; i < size; i += 4) all = word_of(state + i) == all ? all : MIXED;
            if (LIKELY(all == ALL_WITH_VALUE)) return true;
            if (all == NOT_WATCHED) return false;
        }
        bool watched = true, unread = false;
        for (u64 i = 0; i < size; i++) {
            if (UNLIKELY(state[i] == MARGIN_BYTE)) stop_outside(l, address, size, action, site);
            watched &= state[i] != NOT_WATCHED;
            unread |= state[i] == WITHOUT_VALUE;
        }
        bool reads = action == Action::Read || (action == Action::Atomic && t.atomic_part != Part::Stores);
        if (UNLIKELY(unread) && reads) read_without_value(t, address, site);
        if (action != Action::Read && unread) {
            for (u64 i = 0; i < size; i++)
                if (state[i] == WITHOUT_VALUE) state[i] = WITH_VALUE;
        }
        return watched;
    }

    static void take_register(Thread& t, u64 address, bool reads, const void* site) {
        if (reads) access_stack(t, address, 4, Action::Read, site);
    }
    static void give_register(Thread& t, u64 address) { access_stack(t, address, 4, Action::Write, nullptr); }

    static void use_unset(Thread& t, const char* name, const void* site) { record(t, name, 0, site); }

    static void fill_answer() { answer.local_reads = {records.items, records.count}; }

private:
    static constexpr u32 ALL_WITH_VALUE = WITH_VALUE * 0x01010101u, MIXED = ~0u;

    static ALWAYS_INLINE u32 word_of(const u8* state) {
        u32 word;
        __builtin_memcpy(&word, state, sizeof word);
        return word;
    }

    static void mark_with_margins(const Locals& l, u64 from, u64 bytes, u8 state) {
        u64 low = from < MARGIN ? 0 : from - MARGIN, end = from + bytes + MARGIN;
        __builtin_memset(l.state + low, state, (end < STACK_BYTES ? end : STACK_BYTES) - low);
    }

    static const Array& nearest(const Locals& l, u64 address) {
        u64 best = 0, least = ~0ull;
        for (u64 i = 0; i < l.arrays.count; i++) {
            const Array& a = l.arrays.items[i];
            u64 far = address < a.start             ? a.start - address
                      : address < a.start + a.bytes ? 0
                                                    : address - (a.start + a.bytes) + 1;
            if (far < least) least = far, best = i;
        }
        return l.arrays.items[best];
    }

    [[noreturn]] static void stop_outside(const Locals& l, u64 address, u64 size, Action action, const void* site) {
        const Array& a = nearest(l, address);
        Location at = location(*current, site);
        stop(LocalOutOfBounds{a.name, i64(address - a.start), size, action, at});
    }

    static __attribute__((noinline)) void read_without_value(Thread& t, u64 address, const void* site) {
        const Array& a = nearest(locals[t.stack], address);
        record(t, a.name, address - a.start, site);
    }

    static void record(Thread& t, const char* name, u64 offset, const void* site) {
        if (only_counts()) return;
        if (is_fast_path()) leave_to_full_check();
        for (u64 i = 0; i < records.count; i++) {
            LocalRead& r = records.items[i];
            if (r.at.site != site_of(site) || r.local.start != name) continue;
            r.count += r.at.block == block.linear && r.at.thread == t.linear;
            return;
        }
        records.push() = {name, offset, 1, location(t, site)};
    }
};
