// What the kernel's own code may go on with, without the runtime: in the fast path, an instruction of a warp that goes
// to the same array as before, each lane at its distance; see inlined/inline_hooks.cpp.
#pragma once
#include "events/observer.h"
#include "fast_path.h"
#include "traffic.h"

struct AccessCache : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::TakesPart;
    static constexpr int turn = -5;  // continues Traffic's requests and FastPath's words
    static constexpr bool in_full_check = false;

    static void start_worker() {
        prepare_running(block.warps);
        cache = running.cache;
        cursors = all_cursors();
    }

    static ALWAYS_INLINE void begin_slice(const Thread& t) {
        running.cursors = (u64)(cursors + 32ull * t.warp * kernel.accesses + t.lane) - WINDOW;
        running.cache = cache + t.warp * kernel.accesses;
    }
    static ALWAYS_INLINE void begin_next_slice(const Thread& t) {
        if (UNLIKELY(!t.lane)) begin_slice(t);
        else running.cursors += sizeof(LaneCursor);
    }

    // From now on the kernel's own code may go on with the log.
    static ALWAYS_INLINE void access(const Access& a) {
        // (Of what was never written, its words do not tell that a read of it is wrong.)
        bool has_value = only_counts() || a.at.variable->without_values != 1 || a.action != Action::Read;
        if (a.number != NO_NUMBER && has_value)
            remember(a.thread, *a.at.variable, a.at.region->low, a.size, a.number, Traffic::last);
    }

    static ALWAYS_INLINE bool goes_on_as_before(const Thread& t, u32 number, u64 address, u32 size, Action action) {
        const CachedAccess& r = running.cache[number];
        if (UNLIKELY(address - r.start >= r.span || address % size)) return false;
        if (UNLIKELY(!Traffic::goes_on(*r.log, t.warp, t.lane, address))) return false;
        if (UNLIKELY(only_counts())) return true;
        ShadowWord* words = (ShadowWord*)(r.words + WINDOW + 4 * address);
        for (u32 i = 0; i < size / 4; i++) FastPath::use(words[i], action, r.shared);
        return true;
    }

private:
    static LaneCursor* all_cursors() { return (LaneCursor*)(running.cursors + WINDOW); }

    static inline CachedAccess* cache;  // of the first warp; those of the next one follow
    static inline LaneCursor* cursors;  // of its first lane

    static void remember(const Thread& t, const Variable& v, u64 low, u32 size, u32 number, RequestLog* log) {
        if (!log || !log->touched || log->searched || log->is_lagging || log->view.mixed || v.space == Space::Device ||
            v.bytes < size)
            return;
        CachedAccess& r = running.cache[number];
        if (r.log && r.log->touched) {  // an instruction that goes to several arrays in this interval
            if (r.log != log || r.start == v.start) return;
            hide(log->view);
            log->view.mixed = true;
            return;
        }
        if (r.log) hide(r.log->view);
        hide(log->view);
        bool shared = v.space == Space::Shared;
        u64 words = (u64)(shared ? FastPath::in_shared : FastPath::in_global) - 4 * low - WINDOW;
        r = {v.start, v.bytes - size + 1, words, log, shared};
        show_to(log->view, r, all_cursors() + 32 * number - t.lane, log->requests, log->count);
    }

    // Keeps the cursors where the kernel's own code finds them, as those of `entry`.
    static void show_to(LaneView& v, CachedAccess& entry, LaneCursor* cursors, RequestSlot* requests, u32 count) {
        for (u32 lane = 0; lane < 32; lane++) cursors[lane] = v.lane[lane];
        v.lane = cursors;
        v.cache = &entry;
        measure(v);
        show_none(v);
        for (u32 i = 0; i < count; i++) show(v, requests[i]);
    }
};
