// Every access and barrier, in the order in which they ran, for figures. Mirrors run.TRACE_DTYPE.
#pragma once
#include "../core.h"

enum class Event : u32 { Read, Write, Atomic, Barrier, LeaveBarrier, Exit };
struct TraceEvent {
    u64 step;
    u32 block, thread, action;
    int32_t variable;
    u64 offset;  // bytes into the variable; the reader turns it into an index
    u32 site;
    u32 padding;
};
static TraceEvent* trace;  // a file that the reader shares; null: no trace
static u64 trace_count;

static ALWAYS_INLINE void trace_event(const Thread& t, Event action, int32_t variable, u64 offset, u32 site) {
    if (LIKELY(!trace) || trace_count == request.trace_capacity) return;
    trace[trace_count] = {trace_count, block.linear, t.linear, u32(action), variable, offset, site, 0};
    trace_count++;
}
