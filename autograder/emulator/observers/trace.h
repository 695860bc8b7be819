// Every access and barrier, in the order in which they ran, for figures. Mirrors run.TRACE_DTYPE.
#pragma once
#include "../core.h"

enum class Event : u32 { Read, Write, Atomic, Barrier, LeaveBarrier, Exit, Land };
struct TraceEvent {
    u64 step;
    u32 block, thread, action;
    int32_t variable;
    u64 offset;  // bytes into the variable; the reader turns it into an index
    u32 site, size;
    u8 value
        [16];  // what a read found, what a write, an atomic or a landed copy left there; behind that, what an atomic found
};
static TraceEvent* trace;  // a file that the reader shares; null: no trace
static u64 trace_count;
static u64 trace_filled;  // the events before this one have their values

// What a write leaves is known only once it has happened, which is after its event.
static void trace_settle() {
    for (; trace_filled < trace_count; trace_filled++) {
        TraceEvent& e = trace[trace_filled];
        if (e.action == u32(Event::Write) || e.action == u32(Event::Atomic))
            __builtin_memcpy(e.value, (const void*)(variables[e.variable].start + e.offset), e.size < 16 ? e.size : 16);
    }
}

static ALWAYS_INLINE void trace_event(const Thread& t, Event action, int32_t variable, u64 offset, u32 size, u32 site) {
    if (LIKELY(!trace) || trace_count == request.trace_capacity) return;
    if (request.trace_block != ALL_BLOCKS && request.trace_block != block.linear) return;
    TraceEvent& e = trace[trace_count];
    e = {trace_count, block.linear, t.linear, u32(action), variable, offset, site, size, {}};
    if (action == Event::Read || action == Event::Land)
        __builtin_memcpy(e.value, (const void*)(variables[variable].start + offset), size < 16 ? size : 16);
    if (action == Event::Atomic)
        __builtin_memcpy(e.value + 8, (const void*)(variables[variable].start + offset), size < 8 ? size : 8);
    trace_count++;
}
