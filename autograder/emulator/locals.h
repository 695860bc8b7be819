// The arrays that a thread declares for itself, on its own stack. local_arrays.py gives each a margin on
// both sides, and calls where it begins and ends.
#pragma once
#include "progress.h"

enum : u8 { NOT_WATCHED = 0, MARGIN_BYTE = 1, WITHOUT_VALUE = 2, WITH_VALUE = 3 };
constexpr u64 LOCAL_MARGIN = 64;

struct LocalArray {
    u64 start, bytes;
    const char* name;  // "taps:4,8:4": its name, extents and the bytes of an element
};
struct Locals {
    u8* state;  // of each byte of the stack
    List<LocalArray> arrays;
};
static List<LocalRead> local_reads;  // of what nobody wrote

static Locals& locals_of(Thread& t) {
    if (!t.locals) {
        t.locals = (Locals*)allocate(sizeof(Locals));
        t.locals->state = (u8*)allocate_lazily(STACK_BYTES);
    }
    return *t.locals;
}

extern "C" void emu_local_begin(void* start, unsigned long bytes, const char* name) {
    Thread& t = *current;
    Locals& l = locals_of(t);
    u64 from = (u64)start - t.stack_low;
    if (from >= STACK_BYTES || bytes > STACK_BYTES - from) return;  // the guard page will tell
    __builtin_memset(l.state + from - LOCAL_MARGIN, MARGIN_BYTE, bytes + 2 * LOCAL_MARGIN);
    __builtin_memset(l.state + from, WITHOUT_VALUE, bytes);
    for (u64 i = 0; i < l.arrays.count; i++)
        if (l.arrays.items[i].start == (u64)start) {  // declared again, in a loop
            l.arrays.items[i].name = name;
            return;
        }
    l.arrays.push() = {(u64)start, bytes, name};
}

extern "C" void emu_local_end(void* start, unsigned long bytes) {
    Thread& t = *current;
    u64 from = (u64)start - t.stack_low;
    if (!t.locals || from >= STACK_BYTES || bytes > STACK_BYTES - from) return;
    List<LocalArray>& arrays = t.locals->arrays;
    u64 i = arrays.count;
    while (i > 0 && arrays.items[i - 1].start != (u64)start) i--;
    if (!i) return;  // its declaration was never reached
    for (; i < arrays.count; i++) arrays.items[i - 1] = arrays.items[i];
    arrays.count--;
    __builtin_memset(t.locals->state + from - LOCAL_MARGIN, NOT_WATCHED, bytes + 2 * LOCAL_MARGIN);
}

static const LocalArray* nearest_local(const Thread& t, u64 address) {
    const LocalArray* best = nullptr;
    u64 least = ~0ull;
    for (u64 i = 0; i < t.locals->arrays.count; i++) {
        const LocalArray& a = t.locals->arrays.items[i];
        u64 far = address < a.start             ? a.start - address
                  : address < a.start + a.bytes ? 0
                                                : address - (a.start + a.bytes) + 1;
        if (far < least) least = far, best = &a;
    }
    return best;
}

[[noreturn]] static void stop_local(const Thread& t, u64 address, u64 size, Action action, const void* site) {
    const LocalArray& a = *nearest_local(t, address);
    stop(LocalOutOfBounds{a.name, i64(address - a.start), size, action, location(t, site)});
}

static __attribute__((noinline)) void read_without_value(Thread& t, u64 address, const void* site) {
    if (only_counts()) return;
    if (request.quick) leave_to_thorough();
    const LocalArray& a = *nearest_local(t, address);
    for (u64 i = 0; i < local_reads.count; i++) {
        LocalRead& r = local_reads.items[i];
        if (r.at.site != site_of(site) || r.local.start != a.name) continue;
        r.count += r.at.block == block.linear && r.at.thread == t.linear;
        return;
    }
    local_reads.push() = {a.name, address - a.start, 1, location(t, site)};
}

// An access of the thread's own stack. True: it lies in watched arrays alone, and needs no further look.
static ALWAYS_INLINE bool local_access(Thread& t, u64 address, u64 size, Action action, const void* site) {
    if (!t.locals) return false;
    u8* state = t.locals->state + (address - t.stack_low);
    bool watched = true, unread = false;
    for (u64 i = 0; i < size; i++) {
        if (UNLIKELY(state[i] == MARGIN_BYTE)) stop_local(t, address, size, action, site);
        watched &= state[i] != NOT_WATCHED;
        unread |= state[i] == WITHOUT_VALUE;
    }
    if (UNLIKELY(unread) && (action == Action::Read || (action == Action::Atomic && t.atomic_part != Part::Stores))) {
        read_without_value(t, address, site);
    }
    if (action != Action::Read && unread) {
        for (u64 i = 0; i < size; i++)
            if (state[i] == WITHOUT_VALUE) state[i] = WITH_VALUE;
    }
    return watched;
}
