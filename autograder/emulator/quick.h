// The quick run: says only whether a launch is clean. Most launches are, and to know that takes two
// words for each element where a finding takes all of observers/. A kernel that orders its threads by
// anything but barriers, and whatever might be wrong in any way, is left to the thorough run.
//
// In a barrier interval an element may be read by many threads or be used by one; a block's own
// intervals are ordered, blocks are not.
#pragma once
#include "core.h"
#include "parallel.h"

constexpr u32 MANY = 2047, BY_ATOMICS = 2046;  // in place of the one thread, of which there are at most 1024
constexpr u64 ANY_BLOCK = ~0ull;
constexpr u32 LAST_STAMP = 1u << 21;

struct SharedUse { u32 writer, reader; };  // interval's stamp << 11 | thread; the block's first stamp tells its own
struct GlobalUse { u64 writer, reader; };  // (block + 1) << 32 | interval << 11 | thread

static SharedUse* shared_uses;  // by granule of the module's data
static GlobalUse* global_uses;  // by granule of the arena
static u32 block_stamp, interval_stamp;
static u32 me_shared;
static u64 me_global;

// What an instruction of a warp did last, by its address: the array and the log are the same next time.
struct Recent {
    const void* site;
    u64 start, last;  // of the array; the last offset in it at which an access fits
    SiteLog* log;
    bool shared;
};
constexpr u32 RECENT = 256;
static Recent no_recent[RECENT];     // while the runtime itself runs, and in a thorough run
static Recent* recents;              // RECENT for each warp
static Recent* recent = no_recent;   // those of the warp that runs

static u64 use_count() { return global_region.size / 4 + 2; }

static void quick_prepare() {
    shared_uses = (SharedUse*)allocate_lazily((module_region.size / 4 + 2) * sizeof(SharedUse));
    global_uses = (GlobalUse*)uses_of_worker(worker, use_count() * sizeof(GlobalUse));
    recents = (Recent*)allocate_lazily(block.warps * RECENT * sizeof(Recent));
    interval_stamp = 0;
}

static void quick_enter_block() {
    if (LAST_STAMP - interval_stamp < MAX_INTERVALS + 2) {
        for (u32 i = 0; i < variable_count; i++) {
            const Variable& v = variables[i];
            if (v.space == Space::Shared)
                __builtin_memset(shared_uses + (v.start - module_region.low) / 4, 0, (v.bytes / 4 + 1) * sizeof(SharedUse));
        }
        interval_stamp = 0;
    }
    block_stamp = ++interval_stamp;
}

static void quick_enter_thread(const Thread& t) {
    recent = recents + t.warp * RECENT;
    me_shared = interval_stamp << 11 | t.linear;
    me_global = (u64)(block.linear + 1) << 32 | block.interval << 11 | t.linear;
}

static ALWAYS_INLINE void shared_use(SharedUse& u, Action action) {
    u32 me = me_shared, now = me >> 11;
    bool written = u.writer >> 11 == now && u.writer != me;
    if (action == Action::Read) {
        if (UNLIKELY(written || u.writer >> 11 < block_stamp)) leave_to_thorough();
        if (u.reader >> 11 != now) u.reader = me;
        else if (u.reader != me) u.reader = now << 11 | MANY;
        return;
    }
    if (UNLIKELY(u.reader >> 11 == now && u.reader != me)) leave_to_thorough();
    if (action == Action::Write) {
        if (UNLIKELY(written)) leave_to_thorough();
        u.writer = me;
    } else {
        u32 atomics = now << 11 | BY_ATOMICS;
        // The thread's own plain write counts too: the word has no room for both.
        bool plain = u.writer >> 11 == now && u.writer != atomics;
        if (UNLIKELY(plain || u.writer >> 11 < block_stamp)) leave_to_thorough();
        u.writer = atomics;
    }
}

static ALWAYS_INLINE void global_use(GlobalUse& u, Action action) {
    u64 me = me_global, block_of = me >> 32, now = me >> 11;
    u64 w = u.writer;
    if (action == Action::Atomic) {
        if (UNLIKELY((w && w != ANY_BLOCK) || (u.reader && u.reader != me))) leave_to_thorough();
        u.writer = ANY_BLOCK;
        return;
    }
    if (UNLIKELY(w && (w >> 32 != block_of || (w >> 11 == now && w != me)))) leave_to_thorough();
    u64 r = u.reader;
    if (action == Action::Read) {
        if (r == me || r == ANY_BLOCK) return;
        if (!r || (r >> 32 == block_of && r >> 11 != now)) u.reader = me;
        else u.reader = r >> 32 == block_of ? now << 11 | MANY : ANY_BLOCK;
        return;
    }
    if (UNLIKELY(r && r != me && (r >> 32 != block_of || r >> 11 == now))) leave_to_thorough();
    u.writer = me;
}

static ALWAYS_INLINE void quick_access(const Where& w, u64 address, u32 size, Action action) {
    u64 offset = address - w.region->low, first = offset / 4, last = (offset + size - 1) / 4;
    if (LIKELY(w.variable->space == Space::Shared)) {
        // Of a part of an element the two words say too little.
        if (UNLIKELY(size < 4 && action != Action::Read && shared_uses[first].writer >> 11 < block_stamp)) leave_to_thorough();
        for (u64 g = first; g <= last; g++) shared_use(shared_uses[g], action);
    } else if (LIKELY(w.region == &global_region)) {
        bool fresh = w.variable->traits & WITHOUT_VALUES && action != Action::Write;
        for (u64 g = first; g <= last; g++) {
            if (UNLIKELY(fresh && !global_uses[g].writer)) leave_to_thorough();
            global_use(global_uses[g], action);
        }
    } else if (UNLIKELY(action != Action::Read)) {
        leave_to_thorough();  // a `__device__` variable
    }
}

static void remember(const Where& w, u32 size, const void* site, SiteLog* log) {
    if (!log || !log->touched || w.variable->space == Space::Device || w.variable->bytes < size) return;
    recent[(u64)site % RECENT] = {site, w.variable->start, w.variable->bytes - size, log, w.variable->space == Space::Shared};
}

static ALWAYS_INLINE bool as_recently(const Thread* t, u64 address, u32 size, Action action, const void* site) {
    const Recent& r = recent[(u64)site % RECENT];
    if (UNLIKELY(r.site != site || address - r.start > r.last || address % size)) return false;
    u64 offset = address - r.log->region->low;
    if (UNLIKELY(!counts_in_step(*r.log, t->lane, offset))) return false;
    if (LIKELY(r.shared))
        for (u32 i = 0; i < (size + 3) / 4; i++) shared_use(shared_uses[offset / 4 + i], action);
    else
        for (u32 i = 0; i < (size + 3) / 4; i++) global_use(global_uses[offset / 4 + i], action);
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
                const GlobalUse& u = ((const GlobalUse*)uses_of_worker(k, use_count() * sizeof(GlobalUse)))[g];
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
    if (request.workers > 1 && workers_met()) leave_to_thorough();
    u64* sum = (u64*)&counts;
    for (u32 k = 1; k < request.workers; k++)
        for (u64 i = 0; i < sizeof(Counted) / sizeof(u64); i++) sum[i] += ((const u64*)&control->counts[k])[i];
}
