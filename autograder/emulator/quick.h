// The quick run: says only whether a launch is clean. Most launches are, and to know that takes two
// words for each element where a finding takes all of observers/. A kernel that orders its threads by
// anything but barriers, and whatever might be wrong in any way, is left to the thorough run.
//
// A run that only counts, for who asks for nothing else, is a quick run that keeps no such words.
#pragma once
#include "core.h"
#include "parallel.h"
#include "uses.h"

static Use* shared_uses;  // by granule of the module's data
static Use* global_uses;  // by granule of the arena
static u64 me;            // the thread that runs, as writer or reader

static Recent no_recent[RECENT_LIMIT];  // until a thread runs, and in a thorough run
static Recent* recents;                 // RECENT_LIMIT for each warp
extern "C" Running emu_running;
Running emu_running = {0, no_recent, 0, 0, 0};

static ALWAYS_INLINE bool only_counts() { return request.quick == ONLY_COUNTS; }

static u64 use_count() { return global_region.size / 4 + 2; }

static void quick_prepare() {
    shared_uses = (Use*)allocate_lazily((module_region.size / 4 + 2) * sizeof(Use));
    global_uses = (Use*)uses_of_worker(worker, use_count() * sizeof(Use));
    recents = (Recent*)allocate_lazily(block.warps * RECENT_LIMIT * sizeof(Recent));
    busiest = &control->busiest[worker];
}

static void quick_enter_thread(const Thread& t) {
    me = (u64)(block.linear + 1) << 32 | block.interval << 11 | t.linear;
    emu_running = {0, recents + t.warp * RECENT_LIMIT, t.lane, me, only_counts() ? 0 : me | MANY};
}

static ALWAYS_INLINE void use(Use& u, Action action, bool shared) {
    if (UNLIKELY(!is_fine(u, action, shared, me))) leave_to_thorough();
}

static ALWAYS_INLINE void quick_access(const Where& w, u64 address, u32 size, Action action) {
    if (only_counts()) return;
    u64 offset = address - w.region->low, first = offset / 4, last = (offset + size - 1) / 4;
    if (LIKELY(w.variable->space == Space::Shared)) {
        // Of a part of an element the two words say too little.
        if (UNLIKELY(size < 4 && action != Action::Read && shared_uses[first].writer >> 32 != me >> 32)) leave_to_thorough();
        for (u64 g = first; g <= last; g++) use(shared_uses[g], action, true);
    } else if (LIKELY(w.region == &global_region)) {
        bool fresh = w.variable->traits & WITHOUT_VALUES && action != Action::Write;
        for (u64 g = first; g <= last; g++) {
            if (UNLIKELY(fresh && !global_uses[g].writer)) leave_to_thorough();
            use(global_uses[g], action, false);
        }
    } else if (UNLIKELY(action != Action::Read)) {
        leave_to_thorough();  // a `__device__` variable
    }
}

static void remember(u32 id, const Where& w, u32 size, SiteLog* log) {
    if (!log || !log->touched || log->searched || log->left_behind || w.variable->space == Space::Device || w.variable->bytes < size) return;
    bool shared = w.variable->space == Space::Shared;
    u64 uses = (u64)(shared ? shared_uses : global_uses) - 4 * w.region->low;
    Recent& r = emu_running.recent[id];
    forget_recent(*log);
    r = {w.variable->start, w.variable->bytes - size + 1, log->fits, log->lane, uses, log, shared};
    log->recent = &r;
}

static ALWAYS_INLINE bool as_recently(const Thread* t, u32 id, u64 address, u32 size, Action action) {
    const Recent& r = emu_running.recent[id];
    if (UNLIKELY(address - r.start >= r.span || address % size)) return false;
    SiteLog& log = *r.log;
    if (UNLIKELY(!counts_in_step(log, t->warp, t->lane, address))) return false;
    if (UNLIKELY(only_counts())) return true;
    Use* uses = (Use*)(r.uses + 4 * address);
    for (u32 i = 0; i < size / 4; i++) use(uses[i], action, r.shared);
    return true;
}

// Whether two workers met at an element of a global array: one wrote it, and another used it.
static bool workers_met() {
    for (u32 i = 0; i < variable_count; i++) {
        const Variable& v = variables[i];
        if (v.space != Space::Global || !v.bytes) continue;
        u64 first = (v.start - global_region.low) / 4, last = (v.start + v.bytes - 1 - global_region.low) / 4;
        for (u64 g = first; g <= last; g++) {
            u32 writers = 0, users = 0;
            for (u32 k = 0; k < request.workers; k++) {
                const Use& u = ((const Use*)uses_of_worker(k, use_count() * sizeof(Use)))[g];
                writers += u.writer != 0;
                users += (u.writer | u.reader) != 0;
            }
            if (writers && users > 1) return true;
        }
    }
    return false;
}

// The first worker waits for the others, and goes on with what all of them counted.
static void join_workers() {
    control->counts[worker] = counts;
    __atomic_fetch_add(&control->finished, 1, __ATOMIC_RELEASE);
    if (worker) _exit(0);
    while (__atomic_load_n(&control->finished, __ATOMIC_ACQUIRE) < request.workers) {
        if (__atomic_load_n(&control->abandoned, __ATOMIC_ACQUIRE)) leave_to_thorough();
        __builtin_ia32_pause();
    }
    if (request.workers > 1 && !only_counts() && workers_met()) leave_to_thorough();
    u64* sum = (u64*)&counts;
    for (u32 k = 1; k < request.workers; k++) {
        busiest_join(*busiest, control->busiest[k]);
        for (u64 i = 0; i < sizeof(Counted) / sizeof(u64); i++) sum[i] += ((const u64*)&control->counts[k])[i];
    }
}
