// A thread that keeps rereading a few addresses whose values do not change may be waiting for another thread: it spins.
// It may also just be counting, so it gets time: only when nothing has changed for long do we assume that nothing ever
// will.
#pragma once
#include "launch/stop.h"
#include "time_slices.h"

constexpr u32 WATCHED = 100, FEW_ADDRESSES = 8;
static bool patient;  // this block has the machine until something changes, or the time is over

// For this many accesses without a change, all blocks get their time slices; for twice as many after that, one block
// runs alone, so that its threads get as far as they can.
static u64 patience() { return request.max_block_steps / 10; }
static bool time_is_over() { return accesses_made - changed_at >= 3 * patience(); }

static ALWAYS_INLINE void watch_access(Thread& t, u64 address, Action action) {
    Watch& w = t.watch;
    u64 value = *(const u64*)(address & ~7ull);
    u32 i = u32(address / 4 % WATCHED_ADDRESSES);
    accesses_made++;
    w.idle = false;
    w.atomic |= action == Action::Atomic;
    if (action != Action::Write) w.polled = address;
    if (w.address[i] != address) {
        w.address[i] = address;
        w.fresh++;
    } else if (w.value[i] != value) {
        w.fresh++;
        record_change();
    }
    w.value[i] = value;
    if (UNLIKELY(++w.accesses == WATCHED)) {
        w.spins = w.fresh <= FEW_ADDRESSES;
        w.polls = w.spins && w.atomic;
        w.accesses = w.fresh = 0;
        w.atomic = false;
        if (!w.spins) return record_change();
        // No kernel may wait by plain reads: more likely this one counts, so it gets all its steps.
        if (!w.polls) changed_at = accesses_made;
        if (!patient || time_is_over()) cut_slice();
    }
}

// The thread says itself that it waits for a change of the word.
static void watch_spin(Thread& t, u64 address) {
    t.watch.polled = address;
    t.watch.spins = t.watch.waits = true;
    t.watch.idle = false;
    accesses_made += WATCHED;
}

// It has seen the change.
static void end_spin(Thread& t) {
    if (!t.watch.waits) return;
    record_change();
    t.watch.spins = t.watch.waits = false;
    t.watch.accesses = t.watch.fresh = 0;
    t.watch.expected = t.watch.missing = 0;
    t.watch.unready = false;
}

[[noreturn]] static void stop_spinning(Thread& t) {
    current = &t;
    Where w = find_array(t.watch.polled, 1);
    const Element element = {w.id, w.variable ? t.watch.polled - w.variable->start : 0};
    stop(Spin{w.variable ? &element : nullptr, t.watch.expected, t.watch.missing, t.watch.bytes, t.watch.unready,
              location(t, t.site)});
}

// One thread of the block stands for all: one that asks, if there is one.
[[noreturn]] static void stop_spinning_block() {
    Thread *polls = nullptr, *goes_round = nullptr;
    for (u32 i = block.size; i-- > 0;) {
        Thread& t = block.threads[i];
        if (t.state == State::Exited || !t.watch.spins) continue;
        goes_round = &t;
        if (t.watch.polled) polls = &t;
    }
    if (polls) stop_spinning(*polls);
    current = goes_round ? goes_round : block.threads;
    stop_limit(Limit::Steps, current->site);
}
