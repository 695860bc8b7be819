// What ends a launch from outside of the kernel's calls: faults of the processor, and its time.
#pragma once
#include "scheduling/time_slices.h"
#include "launch/stop.h"

constexpr u32 SILENT_TICKS = 20;  // without an access: a loop that makes none

static void on_tick_of_kernel(u64 site) {
    if (is_ending) return;
    static u64 ticks, steps_seen, ended_seen;
    static const Thread* thread_seen;
    static u32 silent, idle;
    u64 progress = total_steps + (slice - slice_left) + block.interval;
    silent = progress == steps_seen && current == thread_seen && current ? silent + 1 : 0;
    steps_seen = progress;
    thread_seen = current;
    idle = threads_ended == ended_seen ? idle + 1 : 0;
    ended_seen = threads_ended;
#ifdef UNCHECKED
    silent = 0;  // nobody hears of an access
#endif
    // (The full check follows, which has to find the same.)
    u64 idle_ms = is_fast_path() ? request.idle_ms / 4 : request.idle_ms;
    if (++ticks * TICK_MS <= request.cpu_ms && silent <= SILENT_TICKS && idle * TICK_MS <= idle_ms) return;
    const void* at = (const void*)site;
    stop_limit(Limit::Time, !current ? nullptr : in_kernel(at) ? at : current->site);
}

static void on_fault_of_kernel(Fault fault, u64 site) {
    if (is_ending || (!current && fault != Fault::SystemCall)) quit(Status::Fault);
    // In the runtime or the C library, called by the kernel: the thread's last known place is all there is.
    const void* at = in_kernel((const void*)site) ? (const void*)site : current ? current->site : nullptr;
    switch (fault) {
    case Fault::DivisionByZero:
        stop_crash("division by zero", at);
    case Fault::StackOverflow:
        // (Of a recursion, the last place may be far from it, or none.)
        if (const void* call = at == (const void*)site ? nullptr : latest_call(kernel.base, request.module_image))
            at = call;
        stop_crash("stack overflow", at);
    case Fault::SystemCall:
        stop(ForbiddenCall{location_of_current(at)});
    case Fault::UnreachableCode:
        // The text has no other way there: what promises the compiler that control never comes is refused.
        stop_crash("missing return", at);
    case Fault::WildPointer:
        stop_crash("wild pointer", at);
    case Fault::RoundingMode:
        stop_crash("rounding mode", at);
    }
}
