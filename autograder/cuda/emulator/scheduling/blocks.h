// Runs the threads of a block.
#pragma once
#include "async_copies.h"
#include "bulk_copies.h"
#include "cluster_barrier.h"
#include "launch/uninitialized_fill.h"
#include "launch/workers.h"
#include "named_barriers.h"
#include "progress.h"
#include "schedule_constraint.h"
#include "thread_order.h"
#include "warpgroups.h"

static void run_thread() {
    begin_variables(current->stack_low);
    running.loop_hash = 0;
    kernel.entry(kernel_arguments);
    end_copies(*current);
    end_bulk_groups(*current);
    end_thread();
}

// PTX's `exit`, which only whole programs may have: they run as native code, where a thread may end anywhere.
extern "C" __attribute__((visibility("default"))) void emu_exit() {
    end_copies(*current);
    end_bulk_groups(*current);
    end_thread();
}

static void run_thread_on() {
    Thread& t = *current;
    running.loop_hash = t.loop_hash;
    emu_way = t.begun ? Way::ComesBack : Way::On;
    t.begun = true;
    kernel.entry(kernel_arguments);
    if (emu_way == Way::Leaves) return;
    end_copies(t);
    end_bulk_groups(t);
    end_thread();
}

static void start_block(u64 linear) {
    const EmuIndex& shape = emu_shape.block;
    block.linear = u32(linear);
    block.interval = is_clustered();  // so that who knows of one interval knows that the block has begun
    block.exited = block.waiting = block.arrived = block.at_cluster = 0;
    block.clock = {};
    block_steps = 0;
    block.index = {u32(linear % request.grid[0]), u32(linear / request.grid[0] % request.grid[1]),
                   u32(linear / (request.grid[0] * request.grid[1]))};
    for (u32 i = 0; i < block.size; i++) {
        Thread& t = block.threads[i];
        t.slot = block.slot * block.size + i;
        t.stack_pointer = nullptr;
        t.index = {{i % shape.x, i / shape.x % shape.y, i / (shape.x * shape.y)}, block.index};
        t.linear = i;
        t.warp = i / 32;
        t.lane = i % 32;
        t.state = State::Ready;
        t.site = nullptr;
        t.steps = t.met_at = t.accesses = 0;
        t.loop_hash = t.begun = 0;
        t.arrival = Arrival::None;
        t.calls.count = 0;
        t.recursed = 0;
        t.launch_error = 0;
        if (!is_fast_path()) t.watch = {};
        t.watch.idle = true;
    }
    for (u32 i = 0; i < variable_count; i++)
        if (variables[i].space == Space::Shared) fill_uninitialized((void*)variables[i].start, variables[i].bytes);
    forget_mbarriers();
    Observers::begin_block();
}

static u64 blocks_ended;

static void end_block() {
    blocks_ended++;
    drop_copies();
    drop_products();
    forget_named_barriers();
    end_mbarriers();
    if (block.cluster) block.cluster->ended++;
    Observers::end_block();
}

// Why a block stopped running: it ended; all its threads wait for the rest of the grid; threads wait for the rest of the
// cluster, and no others go on; all that do not wait are spinning; another block must go on first, see
// schedule_constraint.h; or others get their time, since it may be waiting for them in a way that does not show.
enum class Halt : u8 { Ended, Grid, Cluster, Stuck, Held, Slice };
constexpr u32 STUCK_PASSES = 2;
constexpr u32 MAX_PASSES = 2000;
#ifdef UNCHECKED
constexpr u32 MAX_FAST_PATH_PASSES = 0;  // none: no block of such a run waits for another
#else
constexpr u32 MAX_FAST_PATH_PASSES = 10000;
#endif
constexpr u64 MAX_ACCESSES = 1000000;
static bool polls_globally;  // by atomics on global memory, since it was taken up; or by its cluster's shared memory

static bool slice_is_over(u32 passes, u64 since) {
    if (request.schedule == Schedule::Turns && request.residents > 1 && !patient) return true;
    if (LIKELY(!polls_globally) || request.residents == 1 || request.constrained || patient) return false;
    return passes >= MAX_PASSES || accesses_made - since >= MAX_ACCESSES;
}

static Halt run_block() {
    // Where each time slice is a single access, one pass tells little, unless the threads say themselves that they wait.
    const u32 enough = slice < WATCHED ? 4 * WATCHED : STUCK_PASSES;
    const u32 enough_of_waits = slice < WATCHED ? 4 * STUCK_PASSES : STUCK_PASSES;
    u64 since = accesses_made, change = changes;
    polls_globally = is_clustered();
    for (u32 stuck = 0, passes = 1; block.exited < block.size; passes++) {
        order_next_pass();
        bool ran = false, all_spin = true, one_spins = false, all_wait_for_words = true;
        for (u32 i = 0; i < block.size; i++) {
            Thread& t = block.threads[thread_order[i]];
            if (t.state != State::Ready) continue;
            if (i + 2 < block.size) prefetch(block.threads[thread_order[i + 1]], block.threads[thread_order[i + 2]]);
            Thread& last = resume(t);
            ran = true;
            all_spin &= last.watch.spins || last.watch.idle;
            one_spins |= last.watch.spins;
            all_wait_for_words &= last.watch.waits || last.watch.idle;
            if (last.state == State::Exited) complete_warp(last.warp);
            if (LIKELY(is_fast_path())) i = last.linear;
            if (LIKELY(!let_go)) continue;
            Thread* next = let_go;
            let_go = nullptr;
            if (!is_here(next)) return Halt::Held;
            resume(*next);
            if (next->state == State::Exited) complete_warp(next->warp);
            all_spin = false;
            i--;  // this one again
        }
        for (u32 warp = 0; warp < block.warps; warp++) {
            if (UNLIKELY(gathering)) ran |= gather_warp(warp);
            Observers::end_pass(warp);
        }
        if (!ran && held_here()) {
            if (held_for_another_block()) return Halt::Held;
            release_held();
            ran = true;
        }
        bool all_wait = block.waiting && block.waiting + block.exited == block.size;
        if ((!ran || all_wait) && block.at_cluster) {
            come_to_cluster();
            return Halt::Cluster;
        }
        if ((!ran || all_wait) && !open_barrier()) return Halt::Grid;
        if (is_fast_path() && passes == MAX_FAST_PATH_PASSES) leave_to_full_check();  // it may wait for another block
        if (slice_is_over(passes, since)) return Halt::Slice;
        stuck = ran && all_spin && one_spins && change == changes ? stuck + 1 : 0;
        change = changes;
        if (stuck < (all_wait_for_words ? enough_of_waits : enough) || (patient && !time_is_over())) continue;
        if (!held_here() || held_for_another_block()) return Halt::Stuck;
        release_held();
        stuck = 0;
    }
    end_block();
    return Halt::Ended;
}
