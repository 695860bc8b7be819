// A thread's turn: it goes on until it waits, ends, or has made TURN accesses.
#pragma once
#include "fiber.h"
#include "foreign.h"
#include "observers/counts.h"
#include "observers/initialization.h"
#include "observers/races.h"
#include "observers/trace.h"
#include "quick.h"

// Accesses after which another thread gets a turn, so that one which spins sees what it waits for.
constexpr u32 TURN = 20000;

extern "C" EmuLaunchShape emu_shape;
EmuLaunchShape emu_shape;
extern "C" const EmuThreadIndex* emu_index;
const EmuThreadIndex* emu_index;
static u32 turn = TURN;  // of this launch
static u32 turn_left;
static u32 turn_cut;  // accesses that this turn will not have
// The access is one piece of a struct's copy; and another piece came before it, so that no turn ends here.
static struct {
    bool piece, begun;
    bool in_flight;  // of an asynchronous copy, which has only been started
} copying;
// Accesses of the launch, and waits of threads for others: how many there were; and how many when anything last changed that a
// thread had seen before, or one ended; and when a barrier last opened, or one ended.
static u64 accesses_made, changed_at, got_on_at;
static u64 changes;
static void tell_change() { changes++, changed_at = accesses_made; }
static u64 total_steps;  // watched by the timer, to tell a loop without memory accesses
static u64 block_steps;  // accesses in full turns since the block last got on: a barrier opened, a thread ended
static void (*kernel_entry)(void**);
static void** kernel_args;

static void end_copies(Thread& t);

// What the thread has written is there now.
static void settle_writes() {
    races_settle();
    trace_settle();
    foreign_settle();
}

static u64 own_stack;  // of the thread that runs

static ALWAYS_INLINE void enter(Thread& t) {
    current = &t;
    own_stack = t.stack_low;
    emu_index = &t.index;
    turn_left = turn;
    turn_cut = 0;
    if (request.quick) quick_enter_thread(t);
}

static void yield_to_runtime() {
    settle_writes();
    Thread& t = *current;
    t.steps += turn - turn_left - turn_cut;
    turn_left = turn;
    turn_cut = 0;
    auto mine = copying;
    u64 place = running.place;
    copying = {};
    switch_stacks(&t.stack_pointer, runtime_stack);
    copying = mine;
    running.place = place;
}

// What the next threads begin with: hundreds of threads are more than the nearest cache holds.
static ALWAYS_INLINE void prefetch(const Thread& next, const Thread& after) {
    for (u32 line = 0; line < 8; line++) __builtin_prefetch((const u8*)next.stack_pointer + 64 * line);
    __builtin_prefetch(&after);
}

// A thread of a quick run waits at a barrier. There the turns are in the order of the threads, so the next one goes on at
// once, and run_block need not be asked. (Nobody asks for steps since the last barrier, once all have come to this one.)
static ALWAYS_INLINE void quick_wait() {
    Thread& t = *current;
    u64 place = running.place;
    Thread* next = &t + 1;
    if (LIKELY(next < block.threads + block.size && next->state == State::Ready)) {
        if (next + 2 < block.threads + block.size) prefetch(next[1], next[2]);
        current = next;
        own_stack = next->stack_low;
        emu_index = &next->index;
        turn_left = turn;
        quick_enter_next(*next);
        switch_stacks(&t.stack_pointer, next->stack_pointer);
    } else {
        switch_stacks(&t.stack_pointer, runtime_stack);
    }
    running.place = place;
}

static void thread_main() {
    running.place = 0;
    kernel_entry(kernel_args);
    Thread& t = *current;
    end_copies(t);
    settle_writes();
    trace_event(t, Event::Exit, -1, 0, 0, 0);
    t.state = State::Exited;
    block.exited++;
    block_steps = 0;
    got_on_at = accesses_made;
    tell_change();
    switch_stacks(&t.stack_pointer, runtime_stack);
    __builtin_unreachable();
}

static u64 steps_of(const Thread& t) { return t.steps + (turn - turn_left - turn_cut); }

// Returns the thread that came last.
static ALWAYS_INLINE Thread& resume(Thread& t) {
    enter(t);
    switch_stacks(&runtime_stack, t.stack_pointer);
    Thread& last = *current;
    current = nullptr;
    return last;
}
