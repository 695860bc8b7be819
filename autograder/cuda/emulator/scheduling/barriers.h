// Barriers of a block, and the ways in which they go wrong.
#pragma once
#include "warps.h"

// False: it comes back, see `leave_to_runtime`.
static bool wait_at_barrier(State barrier, i32 predicate, const void* site) {
    Thread& t = *current;
    if (!comes_back()) {
        t.site = site;
        t.predicate = predicate;
        t.state = barrier;
        t.loop_hash = running.loop_hash;
        block.waiting++;
        Observers::wait_at_barrier(t, site);
        if (!threads_return && LIKELY(is_fast_path())) return yield_to_next(), true;
        if (!is_fast_path()) accesses_made++;
        if (leave_to_runtime()) return false;
    }
    if (!is_fast_path()) Observers::leave_barrier(t, site);
    return true;
}

[[noreturn]] static void stop_divergence_of_block() {
    Vector<Waiter> all;
    Scope scope = Scope::Block;
    for (u32 i = 0; i < block.size; i++) {
        const Thread& t = block.threads[i];
        if (t.state == State::Exited) continue;
        if (t.state == State::Warp) scope = Scope::Warp;
        all.push() = {&block, &t};
    }
    stop_divergence(scope, block.size, block.exited, places_of(all, 1));
}

// No thread is ready: either all wait at one barrier, and go on, or they never will. False: it is a barrier of the whole
// grid, see grid.h.
static bool open_barrier() {
    // Whoever has left is missed or, where the launch asks for that, not: GPUs do not wait for them.
    auto is_missed = [](const Thread& t) { return t.state != State::Exited || !request.leave_early; };
    u32 first = 0;
    while (!is_missed(block.threads[first])) first++;
    const void* site = block.threads[first].site;
    State barrier = block.threads[first].state;
    bool together = barrier == State::Barrier || (barrier == State::Grid && !block.exited);
    for (u32 i = first; i < block.size; i++) {
        const Thread& t = block.threads[i];
        if (!is_missed(t)) continue;
        together &= t.state == barrier && t.site == site && (!any_calls || same_calls(t, block.threads[first])) &&
                    same_round(t, block.threads[first]);
    }
    if (!together) stop_divergence_of_block();
    if (u64(block.interval) * block.size > request.max_block_waits) {  // it loops without end
        current = block.threads;
        stop_limit(Limit::Steps, site);
    }
    block.interval++;
    Observers::open_barrier();
    block.predicate_sum = 0;
    block.predicate_all = 1;
    for (u32 i = 0; i < block.size; i++) {
        Thread& t = block.threads[i];
        if (t.state == State::Exited) continue;
        block.predicate_sum += t.predicate != 0;
        block.predicate_all &= t.predicate != 0;
        if (barrier == State::Barrier) t.state = State::Ready;
        t.steps = t.met_at = 0;
    }
    block_steps = 0;
    got_on_at = steps_made();
    if (barrier == State::Barrier) block.waiting = 0;
    return barrier == State::Barrier;
}
