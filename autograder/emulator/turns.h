// A thread's turn: it goes on until it waits, ends, or has made TURN accesses.
#pragma once
#include "fiber.h"
#include "foreign.h"
#include "observers/counts.h"
#include "observers/initialisation.h"
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
// The access is one piece of a struct's copy; and another piece came before it, so that no turn ends here.
static struct {
    bool piece, begun;
    bool in_flight;  // of an asynchronous copy, which has only been started
} copying;
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

static void yield_to_runtime() {
    settle_writes();
    Thread& t = *current;
    t.steps += turn - turn_left;
    turn_left = turn;
    auto mine = copying;
    u64 place = emu_running.place;
    copying = {};
    switch_stacks(&t.stack_pointer, runtime_stack);
    copying = mine;
    emu_running.place = place;
}

static void thread_main() {
    emu_running.place = 0;
    kernel_entry(kernel_args);
    Thread& t = *current;
    end_copies(t);
    settle_writes();
    trace_event(t, Event::Exit, -1, 0, 0, 0);
    t.state = State::Exited;
    block.exited++;
    block_steps = 0;
    switch_stacks(&t.stack_pointer, runtime_stack);
    __builtin_unreachable();
}

static u64 steps_of(const Thread& t) { return t.steps + (turn - turn_left); }

static u64 own_stack;  // of the thread that runs

static void resume(Thread& t) {
    current = &t;
    own_stack = t.stack_low;
    emu_index = &t.index;
    turn_left = turn;
    if (request.quick) quick_enter_thread(t);
    switch_stacks(&runtime_stack, t.stack_pointer);
    current = nullptr;
}

