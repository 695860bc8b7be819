// The barriers of a block that have a number (PTX's `bar.sync` and `bar.arrive`): each opens when as many threads have come
// as they say, of whom some need not wait.
#pragma once
#include "barriers.h"

constexpr u32 NAMED_BARRIERS = 16;
struct NamedBarrier {
    u32 expected, arrived;  // threads, in this phase
    u32 phase;
};
static NamedBarrier* named_barriers;  // of each block, by its slot

static void prepare_named_barriers() {
    named_barriers = allocate_array<NamedBarrier>(request.residents * NAMED_BARRIERS);
}
static void forget_named_barriers() {
    __builtin_memset(named_barriers + block.slot * NAMED_BARRIERS, 0, NAMED_BARRIERS * sizeof(NamedBarrier));
}

// What stands for a phase in happens-before: two that follow each other are apart, as are blocks.
static u64 place_of_phase(u32 number, u32 phase) {
    return sizeof(u32) * (1 + (block.slot * NAMED_BARRIERS + number) * 2 + phase % 2);
}

// True: the thread is to wait for others.
static bool come_to_named_barrier(u32 number, u32 count, bool waits, const void* site) {
    Thread& t = *current;
    if (!count) count = block.warps * 32;
    if (number >= NAMED_BARRIERS || count % 32 || count > block.warps * 32) stop_crash("barrier number", site);
    NamedBarrier& b = named_barriers[block.slot * NAMED_BARRIERS + number];
    if (b.arrived && b.expected != count) stop_crash("barrier count", site);
    make_step(t, site);
    Observers::settle();
    b.expected = count;
    // (Of a warp that is not full, the missing lanes count, too.)
    b.arrived += t.warp * 32 + 32 > block.size && t.lane == 0 ? t.warp * 32 + 33 - block.size : 1;
    t.named_phase = number << 1 | (b.phase & 1);
    Observers::release(t, place_of_phase(number, b.phase), SCOPE_BLOCK);
    if (b.arrived < b.expected) {
        if (waits) t.state = State::Named, t.function = "bar.sync";
        return waits;
    }
    b.arrived = 0;
    b.phase++;
    for (u32 i = 0; i < block.size; i++)
        if (Thread& o = block.threads[i]; o.state == State::Named && o.named_phase == t.named_phase)
            o.state = State::Ready;
    record_change();
    return false;
}

static void go_past_named_barrier() {
    Thread& t = *current;
    Observers::acquire(t, place_of_phase(t.named_phase >> 1, t.named_phase), SCOPE_BLOCK);
    Observers::pass_barrier();
}
