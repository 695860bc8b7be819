// Runs the blocks one after another, and the threads of a block as fibers: each goes on until it
// waits or its turn is over. Barriers, warp operations and the ways in which they go wrong.
#pragma once
#include "fiber.h"
#include "observers/counts.h"
#include "observers/initialisation.h"
#include "observers/races.h"
#include "observers/trace.h"
#include "quick.h"

// Accesses after which another thread gets a turn, so that one which spins sees what it waits for.
constexpr u32 TURN = 20000;

extern "C" const EmuThreadIndex* emu_index;
const EmuThreadIndex* emu_index;
static u32 turn_left;
static u64 block_steps;  // accesses in full turns since the block last got on: a barrier opened, a thread ended
static void (*kernel_entry)(void**);
static void** kernel_args;

static void yield_to_runtime() {
    races_settle();
    Thread& t = *current;
    t.steps += TURN - turn_left;
    turn_left = TURN;
    emu_switch(&t.stack_pointer, runtime_stack);
}

static void thread_main() {
    kernel_entry(kernel_args);
    races_settle();
    Thread& t = *current;
    trace_event(t, Event::Exit, -1, 0, 0);
    t.state = State::Exited;
    block.exited++;
    block_steps = 0;
    emu_switch(&t.stack_pointer, runtime_stack);
    __builtin_unreachable();
}

static u64 steps_of(const Thread& t) { return t.steps + (TURN - turn_left); }

static void resume(Thread& t) {
    current = &t;
    emu_index = &t.index;
    turn_left = TURN;
    if (request.quick) quick_enter_thread(t);
    emu_switch(&runtime_stack, t.stack_pointer);
    current = nullptr;
    recent = no_recent;
}

// ---- warp operations ----------------------------------------------------------------------------
static u32 live_lanes(u32 warp) {
    u32 lanes = 0;
    for (u32 lane = 0; lane < 32 && warp * 32 + lane < block.size; lane++)
        if (block.threads[warp * 32 + lane].state != State::Exited) lanes |= 1u << lane;
    return lanes;
}

// Lets go every group of lanes that is complete: all live lanes of the mask wait with that mask.
static void complete_warp(u32 warp) {
    Thread* base = block.threads + warp * 32;
    u32 live = live_lanes(warp), done = 0;
    for (u32 lane = 0; lane < 32; lane++) {
        if (!(live >> lane & 1) || (done >> lane & 1) || base[lane].state != State::Warp) continue;
        u32 wanted = base[lane].mask & live, here = 0;
        bool exchange = base[lane].in_exchange;
        for (u32 l = 0; l < 32; l++)
            if ((wanted >> l & 1) && base[l].state == State::Warp && base[l].mask == base[lane].mask && base[l].in_exchange == exchange) here |= 1u << l;
        if (here != wanted) continue;
        done |= here;
        if (!exchange) order_warp(block, warp, here);
        for (u32 l = 0; l < 32; l++) {
            if (!(here >> l & 1)) continue;
            Thread& t = base[l];
            t.state = State::Ready;
            if (!exchange) continue;
            t.exchange.lanes = here;
            t.exchange.self = l;
            for (u32 k = 0; k < 32; k++) t.exchange.value[k] = here >> k & 1 ? base[k].value : 0;
        }
    }
}

static void wait_in_warp(u32 mask, bool exchange, u64 value, const void* site) {
    Thread& t = *current;
    t.site = site;
    t.mask = mask;
    if (!(mask >> t.lane & 1)) {
        put("{\"kind\":\"InvalidWarpMask\",\"mask\":%u,\"lane\":%u,\"accesses\":[", mask, t.lane);
        put_thread(t, site);
        put("]}");
        finish();
    }
    if (--turn_left, steps_of(t) > request.max_thread_steps) stop_reason("StepLimit", "steps", site);
    t.in_exchange = exchange;
    t.value = value;
    t.state = State::Warp;
    complete_warp(t.warp);
    if (t.state == State::Warp) yield_to_runtime();
}

// ---- block barriers -----------------------------------------------------------------------------
static void wait_at_barrier(int predicate, const void* site) {
    Thread& t = *current;
    t.site = site;
    t.predicate = predicate;
    t.state = State::Barrier;
    counts.barriers++;
    trace_event(t, Event::Barrier, -1, 0, site_of(site));
    yield_to_runtime();
    trace_event(t, Event::LeaveBarrier, -1, 0, site_of(site));
}

static int barrier_sum, barrier_all;

// No thread is ready: either all wait at one barrier, and go on, or they never will.
static void open_barrier() {
    const void* site = nullptr;
    u32 waiting = 0;
    bool one_site = true;
    for (u32 i = 0; i < block.size; i++) {
        Thread& t = block.threads[i];
        if (t.state != State::Barrier) continue;
        waiting++;
        if (site && t.site != site) one_site = false;
        site = t.site;
    }
    if (waiting == block.size && one_site) {
        if (block.interval == MAX_INTERVALS) {
            current = block.threads;
            stop_reason("StepLimit", "steps", site);
        }
        barrier_sum = 0;
        barrier_all = 1;
        order_barrier(block);
        initialisation_settle();
        counts_flush();
        for (u32 i = 0; i < block.size; i++) {
            Thread& t = block.threads[i];
            barrier_sum += t.predicate != 0;
            barrier_all &= t.predicate != 0;
            t.state = State::Ready;
            t.steps = 0;
        }
        block_steps = 0;
        interval_stamp++;
        return;
    }
    put("{\"kind\":\"BarrierDivergence\",\"threads\":%u,\"exited\":%u,\"sites\":[", block.size, block.exited);
    const char* comma = "";
    for (u32 i = 0; i < block.size; i++) {
        Thread& t = block.threads[i];
        if (t.state == State::Exited) continue;
        u32 same = 0;
        bool first = true;
        for (u32 j = 0; j < block.size; j++) {
            Thread& o = block.threads[j];
            if (o.state != t.state || o.site != t.site) continue;
            same++;
            if (j < i) first = false;
        }
        if (!first) continue;
        put("%s{\"count\":%u,\"warp\":%s,\"thread\":", comma, same, t.state == State::Warp ? "true" : "false");
        put_thread(t, t.site);
        put("}");
        comma = ",";
    }
    put("]}");
    finish();
}

// ---- schedules ------------------------------------------------------------------------------------
static u16* turn_of;  // the threads of a block in the order of their turns
static u64 random_state;

static u32 random_below(u32 n) {  // splitmix64
    u64 z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return u32((z ^ z >> 31) % n);
}

static void schedule_prepare() {
    turn_of = allocate_array<u16>(block.size);
    random_state = request.seed;
    for (u32 i = 0; i < block.size; i++) turn_of[i] = u16(request.schedule == Schedule::Backward ? block.size - 1 - i : i);
    if (request.schedule != Schedule::Warps) return;
    // The last warp goes first, its lanes in their order.
    for (u32 warp = block.warps, n = 0; warp-- > 0;)
        for (u32 i = warp * 32; i < warp * 32 + 32 && i < block.size; i++) turn_of[n++] = u16(i);
}

static void schedule_pass() {
    if (request.schedule != Schedule::Random) return;
    for (u32 i = block.size - 1; i > 0; i--) {
        u32 j = random_below(i + 1);
        u16 other = turn_of[j];
        turn_of[j] = turn_of[i];
        turn_of[i] = other;
    }
}

static u64 scheduled_block(u64 i, u64 blocks) {
    if (request.schedule == Schedule::Backward || request.schedule == Schedule::Warps) return blocks - 1 - i;
    if (request.schedule == Schedule::Forward) return i;
    // Any step that shares no factor with the number of blocks visits each once.
    u64 step = blocks / 2 + request.seed % (blocks / 2 + 1) + 1;
    for (;; step++) {
        u64 a = blocks, b = step % blocks;
        while (b) { u64 rest = a % b; a = b; b = rest; }
        if (a == 1) return (i + request.seed) * step % blocks;
    }
}

// ---- blocks ---------------------------------------------------------------------------------------
static void run_block(u64 linear, const EmuIndex& shape) {
    block.linear = u32(linear);
    block.interval = 0;
    block.exited = 0;
    block.known = nullptr;
    block.index = {u32(linear % request.grid[0]), u32(linear / request.grid[0] % request.grid[1]),
                   u32(linear / (request.grid[0] * request.grid[1]))};
    for (u32 i = 0; i < block.size; i++) {
        Thread& t = block.threads[i];
        fiber_prepare(t, i, thread_main);
        t.index = {{i % shape.x, i / shape.x % shape.y, i / (shape.x * shape.y)}, block.index};
        t.linear = i;
        t.warp = i / 32;
        t.lane = i % 32;
        t.state = State::Ready;
        t.site = nullptr;
        t.steps = t.clock = 0;
        t.known = t.fenced[0] = t.fenced[1] = nullptr;
        for (u32& s : t.seen) s = 0;
    }
    // What nobody has written is no number: all bits set, which is NaN in floating point.
    for (u32 i = 0; i < variable_count; i++)
        if (variables[i].space == Space::Shared) __builtin_memset((void*)variables[i].start, 0xff, variables[i].bytes);
    if (request.quick) quick_enter_block();
    while (block.exited < block.size) {
        schedule_pass();
        bool ran = false;
        for (u32 i = 0; i < block.size; i++) {
            Thread& t = block.threads[turn_of[i]];
            if (t.state != State::Ready) continue;
            resume(t);
            ran = true;
            if (t.state == State::Exited) complete_warp(t.warp);
        }
        for (u32 warp = 0; warp < block.warps; warp++) counts_trim(warp, live_lanes(warp));
        if (!ran) open_barrier();
    }
    initialisation_settle();
    counts_flush();
}

// ---- what the prelude calls -------------------------------------------------------------------------
extern "C" {
void emu_barrier(const void* site) { wait_at_barrier(1, site); }
int emu_barrier_reduce(int predicate, int* all, const void* site) {
    wait_at_barrier(predicate, site);
    *all = barrier_all;
    return barrier_sum;
}
void emu_warp_barrier(unsigned mask, const void* site) { wait_in_warp(mask, false, 0, site); }
const EmuExchange* emu_warp_exchange(unsigned mask, unsigned long long value, const void* site) {
    wait_in_warp(mask, true, value, site);
    return &current->exchange;
}
unsigned emu_active_mask() { return live_lanes(current->warp); }
void emu_fence(int scope) {
    if (scope < 0) yield_to_runtime();  // __nanosleep: somebody else's turn
    else order_fence(block, *current, scope);
}
long long emu_clock() { return (long long)steps_of(*current); }
}
