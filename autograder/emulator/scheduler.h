// Runs the threads of a block as fibers, and its barriers and the ways in which they go wrong.
#pragma once
#include "async.h"
#include "hold.h"
#include "progress.h"
#include "schedule.h"
#include "warps.h"

// ---- block barriers -----------------------------------------------------------------------------
static void wait_at_barrier(State barrier, int predicate, const void* site) {
    Thread& t = *current;
    t.site = site;
    t.predicate = predicate;
    t.state = barrier;
    block.waiting++;
    counts.barriers++;
    if (LIKELY(request.quick)) return quick_wait();
    accesses_made++;
    trace_event(t, Event::Barrier, -1, 0, 0, site_of(site));
    yield_to_runtime();
    trace_event(t, Event::LeaveBarrier, -1, 0, 0, site_of(site));
}

static int barrier_sum, barrier_all;

// Of a quick run's accesses most are not counted as steps of a thread.
static void count_interval() {
    u64 made = counts_flush();
    if (request.quick && made > request.max_thread_steps) leave_to_thorough();
}

// No thread is ready: either all wait at one barrier, and go on, or they never will. False: it is a
// barrier of the whole grid, see residents.h.
static bool open_barrier() {
    const void* site = block.threads[0].site;
    State barrier = block.threads[0].state;
    bool together = barrier == State::Barrier || barrier == State::Grid;
    for (u32 i = 0; i < block.size; i++) together &= block.threads[i].state == barrier && block.threads[i].site == site;
    if (together) {
        if (block.interval == MAX_INTERVALS) {
            current = block.threads;
            stop_limit(Limit::Steps, site);
        }
        barrier_sum = 0;
        barrier_all = 1;
        order_barrier(block);
        initialization_settle();
        count_interval();
        for (u32 i = 0; i < block.size; i++) {
            Thread& t = block.threads[i];
            barrier_sum += t.predicate != 0;
            barrier_all &= t.predicate != 0;
            if (barrier == State::Barrier) t.state = State::Ready;
            t.steps = 0;
        }
        block_steps = 0;
        got_on_at = accesses_made;
        if (barrier == State::Barrier) block.waiting = 0;
        return barrier == State::Barrier;
    }
    List<Waiting> sites;
    for (u32 i = 0; i < block.size; i++) {
        Thread& t = block.threads[i];
        if (t.state == State::Exited) continue;
        u32 same = 0;
        bool first = true;
        for (u32 j = 0; j < block.size; j++) {
            Thread& o = block.threads[j];
            if (!wait_together(o, t)) continue;
            same++;
            if (j < i) first = false;
        }
        if (!first) continue;
        sites.push() = waiting_at(same, t);
    }
    stop_divergence(false, block.size, block.exited, sites);
}

// ---- blocks ---------------------------------------------------------------------------------------
static void start_block(u64 linear) {
    const EmuIndex& shape = emu_shape.block;
    block.linear = u32(linear);
    block.interval = 0;
    block.exited = block.waiting = 0;
    block.known = nullptr;
    block.clock = {};
    block_steps = 0;
    block.index = {u32(linear % request.grid[0]), u32(linear / request.grid[0] % request.grid[1]),
                   u32(linear / (request.grid[0] * request.grid[1]))};
    for (u32 i = 0; i < block.size; i++) {
        Thread& t = block.threads[i];
        fiber_prepare(t, block.first_stack + i, thread_main);
        t.index = {{i % shape.x, i / shape.x % shape.y, i / (shape.x * shape.y)}, block.index};
        t.linear = i;
        t.warp = i / 32;
        t.lane = i % 32;
        t.state = State::Ready;
        t.site = nullptr;
        t.steps = t.accesses = t.clock = 0;
        t.known = t.fenced[0] = t.fenced[1] = t.heard[0] = t.heard[1] = nullptr;
        t.fresh[0] = t.fresh[1] = false;
        if (!request.quick) t.watch = {};
        t.watch.idle = true;
        for (u32& s : t.seen) s = 0;
    }
    // What nobody has written is no number: all bits set, which is NaN in floating point.
    for (u32 i = 0; i < variable_count; i++)
        if (variables[i].space == Space::Shared) __builtin_memset((void*)variables[i].start, 0xff, variables[i].bytes);
}

// Why a block has the machine no longer: it ended; all its threads wait for the rest of the grid; all
// that do not wait go round in circles; another block has to get on first, see hold.h; others shall have a turn,
// since it may wait for them in a way that does not show.
enum class Halt : u8 { Ended, Grid, Stuck, Held, Turn };
constexpr u32 STUCK_PASSES = 2;
constexpr u32 TURN_PASSES = 2000, QUICK_PASSES = 10000;
constexpr u64 TURN_ACCESSES = 1000000;
static bool asks_others;  // by atomics on global memory, since it was taken up

static bool turn_is_over(u32 passes, u64 since) {
    if (LIKELY(!asks_others) || request.residents == 1 || request.holds || patient) return false;
    return passes >= TURN_PASSES || accesses_made - since >= TURN_ACCESSES;
}

static u32 gathering;  // threads of the launch that ask who is with them

// They wait until nobody else of their warp can come.
static bool gather_warp(u32 warp) {
    Thread* base = block.threads + warp * 32;
    u32 live = live_lanes(warp), waiting = 0;
    for (u32 l = 0; l < 32; l++) {
        if (!(live >> l & 1)) continue;
        if ((base[l].state == State::Ready && !base[l].watch.spins) || base[l].state == State::Held) return false;
        if (base[l].state == State::Gather) waiting |= 1u << l;
    }
    bool any = waiting != 0;
    while (waiting) {
        u32 first = u32(__builtin_ctz(waiting)), group = 0;
        for (u32 l = first; l < 32; l++)
            if ((waiting >> l & 1) && base[l].site == base[first].site) group |= 1u << l;
        for (u32 l = first; l < 32; l++)
            if (group >> l & 1) base[l].mask = group, base[l].state = State::Ready, gathering--;
        waiting &= ~group;
    }
    return any;
}

static Halt run_block() {
    // Of threads that get on by one access a turn, a pass tells little.
    const u32 enough = turn < WATCHED ? 4 * WATCHED : STUCK_PASSES;
    u64 since = accesses_made, change = changes;
    asks_others = false;
    for (u32 stuck = 0, passes = 1; block.exited < block.size; passes++) {
        schedule_pass();
        bool ran = false, all_spin = true, one_spins = false;
        for (u32 i = 0; i < block.size; i++) {
            Thread& t = block.threads[turn_of[i]];
            if (t.state != State::Ready) continue;
            if (i + 2 < block.size) prefetch(block.threads[turn_of[i + 1]], block.threads[turn_of[i + 2]]);
            Thread& last = resume(t);
            ran = true;
            all_spin &= last.watch.spins || last.watch.idle;
            one_spins |= last.watch.spins;
            if (last.state == State::Exited) complete_warp(last.warp);
            if (LIKELY(request.quick)) i = last.linear;
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
            counts_trim(warp);
        }
        if (!ran && held_here()) {
            if (held_for_another_block()) return Halt::Held;
            release_held();
            ran = true;
        }
        bool all_wait = block.waiting && block.waiting + block.exited == block.size;
        if ((!ran || all_wait) && !open_barrier()) return Halt::Grid;
        if (request.quick && passes == QUICK_PASSES) leave_to_thorough();  // it may wait for another block
        if (turn_is_over(passes, since)) return Halt::Turn;
        stuck = ran && all_spin && one_spins && change == changes ? stuck + 1 : 0;
        change = changes;
        if (stuck < enough || (patient && !time_is_over())) continue;
        if (!held_here() || held_for_another_block()) return Halt::Stuck;
        release_held();
        stuck = 0;
    }
    forget_copies();
    initialization_settle();
    count_interval();
    busiest_end_block();
    return Halt::Ended;
}

// ---- what the prelude calls -------------------------------------------------------------------------
extern "C" {
void emu_barrier(const void* site) { wait_at_barrier(State::Barrier, 1, site); }
void emu_grid_barrier(const void* site) { wait_at_barrier(State::Grid, 1, site); }
int emu_barrier_reduce(int predicate, int* all, const void* site) {
    wait_at_barrier(State::Barrier, predicate, site);
    *all = barrier_all;
    return barrier_sum;
}
void emu_warp_barrier(unsigned mask, const void* site) { wait_in_warp(mask, nullptr, 0, site); }
const EmuExchange* emu_warp_exchange(unsigned mask, unsigned long long value, const void* site, const char* function) {
    wait_in_warp(mask, function, value, site);
    return &current->exchange;
}
unsigned emu_active_mask(const void* site) {
    current->site = site;
    current->state = State::Gather;
    gathering++;
    yield_to_runtime();
    return current->mask;
}
void emu_fence(int scope) {
    if (scope < 0) yield_to_runtime();  // __nanosleep: somebody else's turn
    else order_fence(block, *current, scope);
}
void emu_release(const void* address, int scope) {
    Known* all = order_snapshot(block, *current);
    order_publish(block, *current, (u64)address, all, scope == SCOPE_DEVICE ? all : nullptr);
}
void emu_acquire(const void* address, int scope) {
    if (current->watch.waits) {
        tell_change();
        current->watch.spins = current->watch.waits = false;
        current->watch.accesses = current->watch.fresh = 0;
    }
    order_acquire(block, *current, (u64)address, scope);
    order_heard(*current, scope);
}
void emu_spin(const void* address, const void* site) {
    current->site = site;
    watch_spin(*current, (u64)address);
    yield_to_runtime();
}
// It never goes back; and ever faster, while a thread does nothing but ask, so that who waits by it has soon waited.
long long emu_clock() {
    auto& clock = block.clock;
    u64 steps = steps_of(*current);
    bool again = clock.asker == current && clock.asked_at == steps;
    clock = {clock.now, again && clock.step < 1ull << 40 ? 2 * clock.step : 32, steps, current};
    return (long long)(clock.now += clock.step);
}
}
