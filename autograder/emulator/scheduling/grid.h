// The blocks of a launch. In a precise run they run one after another, but a block that waits for the others (at a
// barrier of the grid, or spinning) is put aside with its shared memory, and the next one starts.
#pragma once
#include "blocks.h"

struct Resident {
    Block block;
    Halt halt;
    u8* shared;  // what its shared memory held
};
static Vector<Resident*> waiting;  // put aside, in the order in which they get on
static Vector<Resident*> unused;
static u64 blocks_ended;
static u32 residents_made;

static Resident& make_resident() {
    if (unused.count) return *unused.items[--unused.count];
    Resident& r = *(Resident*)allocate(sizeof(Resident));
    r.block.size = block.size;
    r.block.warps = block.warps;
    r.block.threads = allocate_array<Thread>(block.size);
    r.block.slot = residents_made++;
    return r;
}

// ---- putting aside and taking up --------------------------------------------------------------------
static void put_aside(Resident& r, Halt halt) {
    Observers::put_block_aside();
    r.block = block;
    r.halt = halt;
    if (!r.shared) r.shared = (u8*)allocate(shared_granules() * 4);
    each_shared([&](u64 granule, u64 at, u64 n) {
        __builtin_memcpy(r.shared + at * 4, (void*)(module_region.low + granule * 4), n * 4);
    });
}

static void take_up(const Resident& r) {
    block = r.block;
    each_shared([&](u64 granule, u64 at, u64 n) {
        __builtin_memcpy((void*)(module_region.low + granule * 4), r.shared + at * 4, n * 4);
    });
    Observers::take_block_up();
    block_steps = 0;
    for (u32 i = 0; i < block.size; i++) {
        block.threads[i].watch.spins = false;
        block.threads[i].watch.idle = true;
    }
}

static void go_on(Resident& r) {
    Halt halt = run_block();
    if (halt == Halt::Ended) {
        blocks_ended++;
        unused.push() = &r;
    } else {
        put_aside(r, halt);
        waiting.push() = &r;
    }
}

static Resident& next_waiting(u64 i) {
    Resident& r = *waiting.items[i];
    for (u64 k = i + 1; k < waiting.count; k++) waiting.items[k - 1] = waiting.items[k];
    waiting.count--;
    return r;
}

// ---- barriers of the grid ---------------------------------------------------------------------------
static const Thread& first_of_waiting(u64 i) { return waiting.items[i]->block.threads[0]; }

[[noreturn]] static void stop_divergence_of_grid() {
    // One waiting thread for each place, of the blocks that wait.
    Vector<Waiting> sites;
    for (u64 i = 0; i < waiting.count; i++) {
        u64 same = 0;
        bool first = true;
        const Location* call = nullptr;
        block = waiting.items[i]->block;
        for (u64 j = 0; j < waiting.count; j++) {
            if (!call) call = parting_call(first_of_waiting(i), first_of_waiting(j));
            if (!at_one_site(first_of_waiting(i), first_of_waiting(j))) continue;
            same += block.size;
            if (j < i) first = false;
        }
        if (first) sites.push() = waiting_at(same, block.threads[0], call);
    }
    stop_divergence(true, block_count() * block.size, blocks_ended * block.size, sites);
}

static void open_grid_barrier() {
    bool one_site = true;
    for (u64 i = 1; i < waiting.count; i++) one_site &= at_one_site(first_of_waiting(i), first_of_waiting(0));
    if (blocks_ended || !one_site) stop_divergence_of_grid();
    Observers::open_grid_barrier();
    for (u64 i = 0; i < waiting.count; i++) {
        Resident& r = *waiting.items[i];
        r.halt = Halt::Stuck;  // it may go on
        r.block.waiting = 0;
        for (u32 k = 0; k < r.block.size; k++) r.block.threads[k].state = State::Ready;
    }
}

// ---- all blocks -------------------------------------------------------------------------------------
// Whether a spinning block would go on, given time.
static bool goes_on_alone() {
    u64 i = 0, change = changes;
    while (waiting.items[i]->halt == Halt::Grid) i++;
    Resident& r = next_waiting(i);
    take_up(r);
    patient = true;
    go_on(r);
    patient = false;
    return change != changes || waiting.items[waiting.count - 1]->halt != Halt::Stuck;
}

static void run_grid_precisely() {
    u64 blocks = block_count(), started = 0;
    while (started < blocks || waiting.count) {
        bool held_no_more = waiting.count && waiting.items[waiting.count - 1]->halt == Halt::Held && !held;
        if (started < blocks && waiting.count < request.residents && !held_no_more) {
            Resident& r = make_resident();
            block = r.block;
            start_block(scheduled_block(started++));
            go_on(r);
            continue;
        }
        // All that fit are here: each that may goes on once.
        u64 change = changes;
        bool one_may = false;
        for (u64 i = 0, n = waiting.count; i < n; i++) {
            Resident& r = next_waiting(0);
            if (r.halt == Halt::Grid || (r.halt == Halt::Held && held)) {
                waiting.push() = &r;
                continue;
            }
            take_up(r);
            go_on(r);
            one_may = true;
        }
        if (change != changes || !waiting.count) continue;
        if (one_may && waiting.count > 1 && accesses_made - changed_at < patience()) continue;
        if (held) {
            release_held();
            continue;
        }
        bool all_at_barrier = true;
        for (u64 i = 0; i < waiting.count; i++) all_at_barrier &= waiting.items[i]->halt == Halt::Grid;
        if (all_at_barrier) open_grid_barrier();
        else if (!goes_on_alone()) stop_spinning_block();
    }
}

// Each worker its share of the blocks; what all have seen, the first goes on with.
static void screen_grid() {
    block = make_resident().block;
    for (u64 i; next_block(i);) {
        start_block(i);
        if (run_block() != Halt::Ended) leave_to_precise_run();
    }
    finish_worker();
    Observers::finish_workers();
    for (u32 k = 1; k < request.workers; k++) Observers::join_worker(k);
}
