// A thread's time slice: it goes on until it waits, ends, or has made as many accesses as it may.
#pragma once
#include "launch/stop.h"
#include "observers.h"
#include "stacks.h"

#pragma GCC visibility push(default)  // kernels read these
extern "C" EmuLaunchShape emu_shape;
EmuLaunchShape emu_shape;
extern "C" const EmuThreadIndex* emu_index;
const EmuThreadIndex* emu_index;
#pragma GCC visibility pop

static void* runtime_stack;  // its stack pointer while a thread runs
static u64 current_stack;    // the lowest address of the stack of the thread that runs
static void** kernel_arguments;

// Accesses of the launch, and waits of threads for others: how many there were; and how many when anything last changed
// that a thread had seen before, or one ended; and when a barrier last opened, or one ended.
static u64 accesses_made, changed_at, got_on_at;
static u64 steps_made() { return accesses_made + Observers::extra_steps(); }
static u64 threads_ended;
static u64 changes;
static void record_change() { changes++, changed_at = accesses_made; }
static u64 total_steps;  // watched by the timer, to tell a loop without memory accesses
static u64 work_done;    // accesses in time slices that have ended
static u64 block_steps;  // accesses in full time slices since the block last got on: a barrier opened, a thread ended

static ALWAYS_INLINE void enter(Thread& t) {
    current = &t;
    current_stack = t.stack_low;
    emu_index = &t.index;
    slice_left = slice;
    slice_cut = 0;
    Observers::begin_slice(t);
}

// Of all blocks together while no barrier opens and no thread ends: as many as this many may make each by itself.
constexpr u64 MAX_BLOCKS_STEPS = 3;
static bool too_many_steps() { return steps_made() - got_on_at > MAX_BLOCKS_STEPS * request.max_block_steps; }

// What is no access, and may go on as endlessly: a warp operation, a sleep.
static void make_step(Thread& t, const void* site) {
    t.site = site;
    accesses_made++;
    if (too_many_steps()) stop_limit(Limit::Steps, site);
}

// Lets the time slice end at the next access.
static void cut_slice() {
    slice_cut += slice_left - 1;
    slice_left = 1;
}

static ALWAYS_INLINE Thread& end_time_slice() {
    Observers::settle();
    Thread& t = *current;
    t.steps += slice - slice_left - slice_cut;
    work_done += slice - slice_left - slice_cut;
    slice_left = slice;
    slice_cut = 0;
    return t;
}

static void yield_to_runtime() {
    Thread& t = end_time_slice();
    auto mine = copying;
    u64 loop_hash = running.loop_hash;
    copying = {};
    switch_stacks(&t.stack_pointer, runtime_stack);
    copying = mine;
    running.loop_hash = loop_hash;
}

// As `yield_to_runtime`, in a function that the kernel calls once more when the thread goes on, if threads return. It does
// nothing then but what follows: it asks `comes_back` first. True: it is to return now.
static ALWAYS_INLINE bool leave_to_runtime() {
    if (!threads_return) return yield_to_runtime(), false;
    end_time_slice().loop_hash = running.loop_hash;
    emu_way = Way::Leaves;
    return true;
}

static ALWAYS_INLINE bool is_back() { return threads_return && emu_way == Way::ComesBack; }
static ALWAYS_INLINE bool comes_back() {
    if (!is_back()) return false;
    emu_way = Way::On;
    return true;
}

// What the next threads begin with: hundreds of threads are more than the nearest cache holds.
static ALWAYS_INLINE void prefetch(const Thread& next, const Thread& after) {
    for (u32 line = 0; line < 8; line++) __builtin_prefetch((const u8*)next.stack_pointer + 64 * line);
    __builtin_prefetch(&after);
}

// A thread of the fast path waits at a barrier. There the slices are in the order of the threads, so the next one goes
// on at once, and run_block need not be asked. (Nobody asks for steps since the last barrier, once all have come to this
// one.)
static ALWAYS_INLINE void yield_to_next() {
    Thread& t = *current;
    u64 loop_hash = running.loop_hash;
    Thread* next = &t + 1;
    if (LIKELY(next < block.threads + block.size && next->state == State::Ready)) {
        if (next + 2 < block.threads + block.size) prefetch(next[1], next[2]);
        if (UNLIKELY(!next->stack_pointer)) give_stack(*next);
        current = next;
        current_stack = next->stack_low;
        emu_index = &next->index;
        work_done += slice - slice_left;
        slice_left = slice;
        Observers::begin_next_slice(*next);
        switch_stacks(&t.stack_pointer, next->stack_pointer);
    } else {
        switch_stacks(&t.stack_pointer, runtime_stack);
    }
    running.loop_hash = loop_hash;
}

// So much is checked: what was found is true, and what would come after is not looked at.
[[noreturn]] static void stop_at_enough() {
    if (is_fast_path()) Observers::finish_workers();
    answer.enough = true;
    finish();
}

// The thread that runs has come to its end.
static void end_thread() {
    Thread& t = *current;
    Observers::settle();
    Observers::end_thread(t);
    t.state = State::Exited;
    block.exited++;
    block_steps = 0;
    got_on_at = steps_made();
    threads_ended++;
    record_change();
    free_stack(t);
    work_done += slice - slice_left - slice_cut;
    if (UNLIKELY(request.max_work && work_done > request.max_work)) stop_at_enough();
    leave_stack(runtime_stack);
}

// Returns the thread that came last.
static ALWAYS_INLINE Thread& resume(Thread& t) {
    if (UNLIKELY(!t.stack_pointer)) give_stack(t);
    enter(t);
    if (threads_return) call_on_stack(t.stack_pointer, run_thread_on);
    else switch_stacks(&runtime_stack, t.stack_pointer);
    Thread& last = *current;
    current = nullptr;
    return last;
}
