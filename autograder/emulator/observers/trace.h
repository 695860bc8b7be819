// Every access and barrier, in the order in which they ran, for figures.
#pragma once
#include "launch/stop.h"
#include "observer.h"

struct Trace : Observer {
    static inline TraceEvent* events;  // null: no trace is wanted
    static inline u64 count;
    static inline u64 filled;  // the events before this one have their values

    static void prepare() {
        if (request.trace_capacity) events = (TraceEvent*)trace_file.bytes;
    }

    // What a write leaves is known only once it has happened, which is after its event.
    static ALWAYS_INLINE void settle() {
        for (; filled < count; filled++) {
            TraceEvent& e = events[filled];
            if (e.action == Event::Write || e.action == Event::Atomic) copy_value(e, e.value, sizeof e.value);
        }
    }

    static ALWAYS_INLINE void access(const Access& a) {
        if (!a.starts_copy) record(a.thread, Event(a.action), a.at, a.address - a.at.variable->start, a.size, a.site);
    }
    static void move_copy(const Thread& t, const AsyncCopy& c) {
        Where w = find_array(c.to, c.size());
        record(t, Event::Land, w, c.to - w.variable->start, u32(c.size()), c.site);
    }
    static void wait_at_barrier(const Thread& t, const void* site) { record(t, Event::Barrier, NONE, 0, 0, site); }
    static void leave_barrier(const Thread& t, const void* site) { record(t, Event::LeaveBarrier, NONE, 0, 0, site); }
    static void end_thread(const Thread& t) { record(t, Event::Exit, NONE, 0, 0, (const void*)kernel.base); }

    static void finish() { settle(); }
    static void fill_answer() { answer.traced = count; }

private:
    static constexpr Where NONE = {nullptr, nullptr, ~0u};

    static void copy_value(const TraceEvent& e, u8* to, u32 room) {
        u64 from = variables[e.array].start + e.offset;
        if (u32 rank = rank_in_cluster(e.block); e.owner != rank) from = in_slot(block.slot - rank + e.owner, from);
        __builtin_memcpy(to, (const void*)from, e.size < room ? e.size : room);
    }

    static ALWAYS_INLINE void record(const Thread& t, Event action, const Where& at, u64 offset, u32 size,
                                     const void* site) {
        if (LIKELY(!events) || count == request.trace_capacity) return;
        if (request.trace_block >= 0 && request.trace_block != block.linear) return;
        TraceEvent& e = events[count];
        u32 owner = at.remote ? remote_slot % cluster_size() : rank_in_cluster(block.linear);
        e = {count, block.linear, t.linear, action, u16(owner), i32(at.id), offset, site_of(site), size, {}};
        if (action == Event::Read || action == Event::Land) copy_value(e, e.value, sizeof e.value);
        if (action == Event::Atomic) copy_value(e, e.value + 8, 8);  // what it finds
        count++;
    }
};
