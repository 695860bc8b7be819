// Threads as coroutines. The host suspends and resumes WebAssembly's own stack, which holds return addresses and what
// no pointer points to; locals whose address is taken are on a stack in memory, which is switched here.
//
// That takes microseconds. So a launch is first run without: threads return where they wait. If one waits where it can't
// return, the host begins the launch anew, and switches.
#pragma once
#include "memory.h"

constexpr u64 RED_BYTES = 4096;  // below each stack: an access there is one of no thread

extern "C" {
// Suspends the coroutine `from`, and resumes or begins `to`. Returns when something resumes `from`.
void host_switch(const void* from, const void* to);
// Resumes or begins `to` when the coroutine that runs has returned from emu_begin.
void host_leave(const void* to);
}

Way emu_way;
static u8* stacks;
static u32 stack_count;
static void (*begun_by)();
static const void* running_coroutine;  // null: the runtime

static void reserve_stacks(u32 count) {
    stacks = (u8*)map_pages(count * (STACK_BYTES + RED_BYTES));
    if (!stacks) refuse("no address space");
    stack_count = count;
}
static void open_stacks(u32, u32) {}

static bool in_stacks(u64 address) { return address - (u64)stacks < stack_count * (STACK_BYTES + RED_BYTES); }

// A coroutine is known by the top of its stack.
static Stack begin_stack(u32 i, void (*entry)()) {
    begun_by = entry;
    u64 low = (u64)stacks + i * (STACK_BYTES + RED_BYTES) + RED_BYTES;
    return {low, (void*)(low + STACK_BYTES)};
}

extern "C" __attribute__((export_name("emu_begin"))) void emu_begin() { begun_by(); }

static ALWAYS_INLINE void switch_stacks(void** save, void* load) {
    const void* me = running_coroutine;
    *save = (void*)me;
    running_coroutine = load;
    host_switch(me, load);
    running_coroutine = me;
}

static void leave_stack(void* load) {
    if (threads_return) return;
    running_coroutine = load;
    host_leave(load);
}

// It has no variables in memory itself, which would be on the other stack.
static __attribute__((noinline)) void call_on_stack(void* pointer, void (*entry)()) {
    void* mine;
    asm volatile(".globaltype __stack_pointer, i64\n"
                 "global.get __stack_pointer\n"
                 "local.set %0\n"
                 "local.get %1\n"
                 "global.set __stack_pointer\n"
                 : "=&r"(mine)
                 : "r"(pointer)
                 : "memory");
    running_coroutine = pointer;
    entry();
    running_coroutine = nullptr;
    asm volatile("local.get %0\n"
                 "global.set __stack_pointer\n" ::"r"(mine)
                 : "memory");
}

static ALWAYS_INLINE void begin_variables(u64) {}
static ALWAYS_INLINE u64 lowest_variable() { return (u64)__builtin_frame_address(0); }
