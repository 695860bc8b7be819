// A thread that goes round and round at a few places, whose values stay, may wait for somebody else: it spins. It may
// as well count to a number, so it is given time: nothing will ever change only if nothing has for long.
#pragma once
#include "turns.h"

constexpr u32 WATCHED = 100, FEW_PLACES = 8;
static bool patient;  // this block has the machine until something changes, or the time is over

// Accesses without a change for which all blocks get their turns; twice as many are then one block's alone, so that
// its threads get on as far as they can.
static u64 patience() { return request.max_block_steps / 10; }
static bool time_is_over() { return accesses_made - changed_at >= 3 * patience(); }

// Lets the turn end at the next access.
static void cut_turn() {
    turn_cut += turn_left - 1;
    turn_left = 1;
}

static ALWAYS_INLINE void watch_access(Thread& t, u64 address, Action action) {
    Watch& w = t.watch;
    u64 value = *(const u64*)(address & ~7ull);
    u32 i = u32(address / 4 % WATCHED_PLACES);
    accesses_made++;
    w.idle = false;
    w.atomic |= action == Action::Atomic;
    if (action != Action::Write) w.asked = address;
    if (w.address[i] != address) {
        w.address[i] = address;
        w.fresh++;
    } else if (w.value[i] != value) {
        w.fresh++;
        tell_change();
    }
    w.value[i] = value;
    if (UNLIKELY(++w.accesses == WATCHED)) {
        w.spins = w.fresh <= FEW_PLACES;
        w.asks = w.spins && w.atomic;
        w.accesses = w.fresh = 0;
        w.atomic = false;
        if (!w.spins) return tell_change();
        // By plain reads no kernel may wait: it counts to a number, more likely, and is given all its steps.
        if (!w.asks) changed_at = accesses_made;
        if (!patient || time_is_over()) cut_turn();
    }
}

static void watch_spin(Thread& t, u64 address) {
    t.watch.asked = address;
    t.watch.spins = t.watch.waits = true;
    t.watch.idle = false;
    accesses_made += WATCHED;
}

[[noreturn]] static void stop_spinning(Thread& t) {
    current = &t;
    u64 address = t.watch.asked;
    const Region& r = address - module_region.low < module_region.size ? module_region : global_region;
    const Variable* v = address - r.low < r.size ? find_variable(r, address, 1) : nullptr;
    const Element element = {v ? u32(v - variables) : 0, v ? address - v->start : 0};
    stop(Spin{v ? &element : nullptr, location(t, t.site)});
}

// One thread of the block stands for all: one that asks, if there is one.
[[noreturn]] static void stop_spinning_block() {
    Thread *asks = nullptr, *goes_round = nullptr;
    for (u32 i = block.size; i-- > 0;) {
        Thread& t = block.threads[i];
        if (t.state == State::Exited || !t.watch.spins) continue;
        goes_round = &t;
        if (t.watch.asked) asks = &t;
    }
    if (asks) stop_spinning(*asks);
    current = goes_round ? goes_round : block.threads;
    stop_limit(Limit::Steps, current->site);
}
