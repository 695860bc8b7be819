// Which stack a thread runs on. It gets one when it begins, and leaves it to another thread when it ends: most kernels
// without barriers need a single one, and the system takes longer to make a stack than a small thread runs.
#pragma once
#include "launch/launch.h"

static void run_thread();     // from its beginning to its end
static void run_thread_on();  // until it returns

static u32* free_stacks;  // numbers of stacks that are open and nobody's
static u32 free_count, open_count;
constexpr u32 FIRST_STACKS = 32;  // whenever these do not do, as many again

static u32 most_stacks() { return u32(request.residents * block.size); }

static void prepare_stacks() {
    reserve_stacks(most_stacks());
    free_stacks = allocate_array<u32>(most_stacks());
}

static void open_more_stacks() {
    u32 left = most_stacks() - open_count, more = open_count ? open_count : FIRST_STACKS;
    if (more > left) more = left;
    open_stacks(open_count, more);
    open_count += more;
    while (free_count < more) {
        free_stacks[free_count] = open_count - 1 - free_count;
        free_count++;
    }
}

static __attribute__((noinline)) void give_stack(Thread& t) {
    if (!free_count) open_more_stacks();
    t.stack = free_stacks[--free_count];
    Stack stack = begin_stack(t.stack, run_thread);
    t.stack_low = stack.low;
    t.stack_pointer = stack.pointer;
}

// Nobody begins on it before this thread has left it.
static void free_stack(const Thread& t) { free_stacks[free_count++] = t.stack; }
