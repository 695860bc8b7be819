// A thread that reads a few places round and round, whose values stay, waits for somebody else: it
// spins. When all that could run do, nothing will ever change.
#pragma once
#include "turns.h"

constexpr u32 WATCHED = 500, FEW_PLACES = 8;
static bool passes_in_circles;  // since this was last true, every pass of the block was one of spinning threads

// Lets the turn end at the next access, without counting those that it might still have made.
static void cut_turn(Thread& t) {
    u64 left = turn_left - 1;
    t.steps -= left;
    block_steps -= left;
    total_steps -= left;
    turn_left = 1;
}

static ALWAYS_INLINE void watch_access(Thread& t, u64 address, Action action) {
    Watch& w = t.watch;
    u64 value = *(const u64*)(address & ~7ull);
    u32 i = 0;
    while (i < 4 && w.address[i] != address) i++;
    if (i == 4) {
        i = w.next++ % 4;
        w.address[i] = address;
        w.fresh++;
    } else if (w.value[i] != value || action == Action::Write) {
        w.fresh++;
    }
    w.value[i] = value;
    if (UNLIKELY(++w.accesses == WATCHED)) {
        w.spins = w.fresh <= FEW_PLACES;
        w.accesses = w.fresh = 0;
        if (w.spins) cut_turn(t);
    }
}

static void watch_spin(Thread& t, u64 address) {
    t.watch.address[0] = address;
    t.watch.next = 1;
    t.watch.spins = true;
}

[[noreturn]] static void stop_spinning(Thread& t) {
    current = &t;
    u64 address = t.watch.address[(t.watch.next + 3) % 4];
    const Region& r = address - module_region.low < module_region.size ? module_region : global_region;
    const Variable* v = address - r.low < r.size ? find_variable(r, address, 1) : nullptr;
    put("{\"kind\":\"StepLimit\",\"reason\":\"spin\",\"variable\":%lld,\"offset\":%llu,\"accesses\":[",
        v ? (long long)(v - variables) : -1ll, v ? (unsigned long long)(address - v->start) : 0ull);
    put_thread(t, t.site);
    put("]}");
    finish();
}
