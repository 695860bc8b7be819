// The quick run: says only whether a launch is clean. Most launches are, and to know that takes two
// words for each element where a finding takes all of observers/. A kernel that orders its threads by
// anything but barriers, and whatever might be wrong in any way, is left to the thorough run.
//
// A run that only counts, for who asks for nothing else, is a quick run that keeps no such words.
#pragma once
#include "core.h"
#include "parallel.h"
#include "uses.h"
#include <asm/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static Use* shared_uses;  // by granule of the module's data
static Use* global_uses;  // by granule of the arena
static u64 me;            // the thread that runs, as writer or reader

static u32 numbers;      // of the module's accesses that are told of with one
static Recent* recents;  // `numbers` for each warp
static LaneTurn* turns;  // the lanes' of each of those

static ALWAYS_INLINE bool only_counts() { return request.only_counts; }

static u64 use_count() { return global_region.size / 4 + 2; }

static void quick_prepare() {
    shared_uses = (Use*)allocate_lazily((module_region.size / 4 + 2) * sizeof(Use));
    global_uses = (Use*)uses_of_worker(worker, use_count() * sizeof(Use));
    busiest = &control->busiest[worker];
    site_traffic = control->traffic[worker];
}

// Also of a thorough run, in which nothing is ever known.
static void recent_prepare() {
    u32 warps = request.quick ? block.warps : 1;
    recents = allocate_array<Recent>(warps * numbers);
    turns = allocate_array<LaneTurn>(32ull * warps * numbers);
    for (u64 i = 0; i < 32ull * warps * numbers; i++) turns[i].next = &nowhere;
    running = {0, turns, recents, 0, 0};
    if (syscall(SYS_arch_prctl, ARCH_SET_GS, &running)) refuse("no register for the kernel");
}

static void quick_enter_thread(const Thread& t) {
    me = (u64)(block.linear + 1) << 32 | block.interval << 11 | t.linear;
    running = {0, turns + 32ull * t.warp * numbers + t.lane, recents + t.warp * numbers, me, me | MANY};
}

// The one behind the thread that runs, in the same barrier interval.
static ALWAYS_INLINE void quick_enter_next(const Thread& t) {
    if (UNLIKELY(!t.lane)) return quick_enter_thread(t);
    running.me = ++me;
    running.turns++;
}

static ALWAYS_INLINE void use(Use& u, Action action, bool shared) {
    if (UNLIKELY(!is_fine(u, action, shared, me))) leave_to_thorough();
}

static ALWAYS_INLINE void quick_access(const Where& w, u64 address, u32 size, Action action) {
    if (only_counts()) return;
    u64 offset = address - w.region->low, first = offset / 4, last = (offset + size - 1) / 4;
    if (LIKELY(w.variable->space == Space::Shared)) {
        // Of a part of an element the two words say too little.
        if (UNLIKELY(size < 4 && action != Action::Read && shared_uses[first].writer >> 32 != me >> 32))
            leave_to_thorough();
        for (u64 g = first; g <= last; g++) use(shared_uses[g], action, true);
    } else if (LIKELY(w.region == &global_region)) {
        bool fresh = w.variable->without_values && action != Action::Write;
        for (u64 g = first; g <= last; g++) {
            if (UNLIKELY(fresh && !global_uses[g].writer)) leave_to_thorough();
            use(global_uses[g], action, false);
        }
    } else if (UNLIKELY(action != Action::Read)) {
        leave_to_thorough();  // a `__device__` variable
    }
}

// From now on the kernel's own code may go on with the log.
static void remember(const Thread& t, u32 id, const Where& w, u32 size, SiteLog* log) {
    if (!log || !log->touched || log->searched || log->left_behind || log->mixed ||
        w.variable->space == Space::Device || w.variable->bytes < size)
        return;
    Recent& r = running.recent[id];
    if (r.log && r.log->touched) {  // an instruction that goes to several arrays in this interval
        if (r.log != log || r.start == w.variable->start) return;
        forget_recent(*log);
        log->mixed = true;
        return;
    }
    if (r.log) forget_recent(*r.log);
    forget_recent(*log);
    bool shared = w.variable->space == Space::Shared;
    u64 uses = (u64)(shared ? shared_uses : global_uses) - 4 * w.region->low;
    r = {w.variable->start, w.variable->bytes - size + 1, uses, log, shared};
    share_turns(*log, r, running.turns + 32 * id - t.lane);
}

static ALWAYS_INLINE bool as_recently(const Thread* t, u32 id, u64 address, u32 size, Action action) {
    const Recent& r = running.recent[id];
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
    control->sites[worker] = site_id_count;
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
        for (u32 i = 0; i < control->sites[k]; i++) add_site_traffic(control->traffic[k][i]);
        for (u64 i = 0; i < sizeof(Counted) / sizeof(u64); i++) sum[i] += ((const u64*)&control->counts[k])[i];
    }
}
