// Every access and barrier, in the order in which they ran, for figures.
#pragma once
#include "launch/stop.h"
#include "events/observer.h"

struct Trace : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::Covered;
    static constexpr int turn = 8;
    static inline TraceEvent* events;  // null: no trace is wanted
    static inline u64 count;
    static inline u64 filled;    // the events before this one have their values
    static inline u64 others;    // events of blocks that a debugger does not follow
    static inline u64 variable;  // where the thread's own variable begins to which those from there on write

    static void prepare() {
        if (request.trace_capacity) events = (TraceEvent*)trace_file.bytes;
    }

    // What a write leaves is known only once it has happened, which is after its event.
    static ALWAYS_INLINE void settle() {
        for (; filled < count; filled++) {
            TraceEvent& e = events[filled];
            if (e.action == Event::Write || e.action == Event::Atomic) copy_value(e, e.value, sizeof e.value);
            if (e.action == Event::Set) __builtin_memcpy(e.value, (const void*)(variable + e.offset), e.size);
        }
    }

    static ALWAYS_INLINE void access(const Access& a) {
        if (a.starts_copy || a.engine) return;
        record(a.thread.linear, Event(a.action), a.at, a.address - a.at.variable->start, a.size, site_of(a.site));
    }
    static void land(const Location& starter, u64 to, u32 size) {
        if (starter.block != block.linear) return;  // that has no place among the events of this block
        Where w = find_array(to, size);
        record(starter.thread, Event::Land, w, to - w.variable->start, size, starter.site);
    }
    static void wait_at_barrier(const Thread& t, const void* site) {
        record(t.linear, Event::Barrier, NONE, 0, 0, site_of(site));
    }
    static void leave_barrier(const Thread& t, const void* site) {
        record(t.linear, Event::LeaveBarrier, NONE, 0, 0, site_of(site));
    }
    static void end_thread(const Thread& t) { record(t.linear, Event::Exit, NONE, 0, 0, 0); }

    // What is no access, for a debugger; see variables.h.
    static void note(u32 thread, Event action, u32 what, u16 depth, u64 offset, u32 size, const void* site) {
        if (!events || count == request.trace_capacity) return;
        events[count] = {count, block.linear, thread, action, depth, i32(what), offset, site ? site_of(site) : 0, size,
                         {}};
        count++;
    }

    static void finish() { settle(); }
    static void fill_answer() { answer.traced = count; }

private:
    static constexpr Where NONE = {nullptr, nullptr, ~0u};

    static void copy_value(const TraceEvent& e, u8* to, u32 room) {
        u64 from = variables[e.array].start + e.offset;
        if (u32 rank = rank_in_cluster(e.block); e.owner != rank) from = in_slot(block.slot - rank + e.owner, from);
        __builtin_memcpy(to, (const void*)from, e.size < room ? e.size : room);
    }

    static ALWAYS_INLINE void record(u32 thread, Event action, const Where& at, u64 offset, u32 size, u32 site) {
        if (LIKELY(!events) || count == request.trace_capacity) return;
        if (request.trace_block >= 0 && request.trace_block != block.linear) return;
        // Of other blocks, a debugger needs what they change outside of their own; and half of the room is for the block
        // that it follows.
        if (request.followed >= 0 && request.followed != block.linear) {
            bool changes = action == Event::Write || action == Event::Atomic || action == Event::Land;
            bool is_in_block = at.variable && at.variable->space == Space::Shared && !at.remote;
            if (!changes || is_in_block || others == request.trace_capacity / 2) return;
            others++;
        }
        TraceEvent& e = events[count];
        u32 owner = at.remote ? remote_slot % cluster_size() : rank_in_cluster(block.linear);
        e = {count, block.linear, thread, action, u16(owner), i32(at.id), offset, site, size, {}};
        if (action == Event::Read || action == Event::Land) copy_value(e, e.value, sizeof e.value);
        if (action == Event::Atomic) copy_value(e, e.value + 8, 8);  // what it finds
        count++;
    }
};
