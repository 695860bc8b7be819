// Every access and barrier, in the order in which they ran, for figures.
#pragma once
#include "../core.h"

static TraceEvent* trace;  // a file that the reader shares; null: no trace
static u64 trace_count;
static u64 trace_filled;  // the events before this one have their values

// What a write leaves is known only once it has happened, which is after its event.
static void trace_settle() {
    for (; trace_filled < trace_count; trace_filled++) {
        TraceEvent& e = trace[trace_filled];
        if (e.action == Event::Write || e.action == Event::Atomic)
            __builtin_memcpy(e.value, (const void*)(variables[e.array].start + e.offset), e.size < 16 ? e.size : 16);
    }
}

static ALWAYS_INLINE void trace_event(const Thread& t, Event action, int32_t variable, u64 offset, u32 size, u32 site) {
    if (LIKELY(!trace) || trace_count == request.trace_capacity) return;
    if (request.trace_block >= 0 && request.trace_block != block.linear) return;
    TraceEvent& e = trace[trace_count];
    e = {trace_count, block.linear, t.linear, action, variable, offset, site, size, {}};
    if (action == Event::Read || action == Event::Land)
        __builtin_memcpy(e.value, (const void*)(variables[variable].start + offset), size < 16 ? size : 16);
    if (action == Event::Atomic)
        __builtin_memcpy(e.value + 8, (const void*)(variables[variable].start + offset), size < 8 ? size : 8);
    trace_count++;
}
