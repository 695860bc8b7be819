// An instance is the sandbox: it reaches its own memory and what the host gives it, and nothing else. It has no timer and
// no guard pages, so the kernel itself asks: in each round of a loop, and where a function begins.
#pragma once
#include "stacks.h"

extern "C" double host_milliseconds();

static u32 start_processes(u64& count) {
    count = 1;
    return 0;
}
static void pause_briefly() {}
static bool fork_process(Status&, u64&) { refuse("no processes"); }

static void (*fault_handler)(Fault, u64 site);
static void (*time_slice_handler)(u64 site);
static double next_tick;
constexpr u32 NEAREST = 0x1f80;  // EMU_RN of the prelude, which sets the mode as x86 has it

static void watch_process(void (*fault)(Fault, u64), void (*tick)(u64)) {
    fault_handler = fault;
    time_slice_handler = tick;
    next_tick = host_milliseconds() + TICK_MS;
}

static const void* latest_call(u64, u64) { return nullptr; }  // emu_site is always known
static bool seal_process(u64, u64) { return true; }

extern "C" {
// The host calls this when the machine has trapped.
__attribute__((export_name("emu_fault"))) void emu_fault(int fault) { fault_handler(Fault(fault), (u64)emu_site); }

// The kernel calls this once in many rounds of its loops.
void emu_rounds_made() {
    double now = host_milliseconds();
    if (now < next_tick) return;
    // One tick, however late: on a busy machine, or when a laptop was closed, the clock has gone on and the kernel has not.
    next_tick = now + TICK_MS;
    time_slice_handler((u64)emu_site);
}

// WebAssembly rounds to nearest, and has no other mode.
void emu_rounding(const u32* mode) {
    if (*mode != NEAREST) fault_handler(Fault::RoundingMode, (u64)emu_site);
}

void emu_frame(const void* stack_pointer) {
    if (running_coroutine && (u64)stack_pointer < (u64)running_coroutine - STACK_BYTES)
        fault_handler(Fault::StackOverflow, (u64)emu_site);
}
}
