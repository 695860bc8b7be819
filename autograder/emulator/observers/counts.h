// Memory traffic, per thread and per warp. A warp's threads run one after the other here, so the
// lanes of one request are brought together by (instruction, how often this lane has executed it
// since the last barrier). Where lanes loop different numbers of times this is approximate.
//
// In nearly every loop the lanes keep their distances: lane 5 is always 20 bytes behind lane 0. So a
// log keeps the lanes' distances in their first request, and of each later request only where it
// starts; a request that does not fit keeps the address of every lane.
#pragma once
#include "requests.h"

// One for each kind of memory, global and shared, and each Action.
struct Traffic {
    u64 accesses;  // by thread
    u64 requests;
    u64 units, conflicts;  // see Cost
};
static struct Counted {
    Traffic global[3], shared[3];
    u64 barriers;
} counts;

struct Start {
    u32 offset;  // of the request's first lane in the region, as if lane 0 were `delta` 0
    u32 odd;     // number + 1 of its WarpRequest; 0: the lanes keep their distances
};
// What one warp does at one instruction since the last barrier.
struct SiteLog {
    Start* starts;
    u32 count, capacity;
    u32 settled;  // requests already counted and dropped from the front of `starts`
    u32 width;
    const Region* region;
    Space space;
    Action action;
    bool touched;
    List<WarpRequest> odd;
    struct {
        u32 executed;
        int32_t delta;  // its distance in the log's first request
    } lane[32];
};
static u16* site_ids;  // by site_slot: id + 1
static u32 site_id_count;
static SiteLog*** site_logs;       // [warp][site id], tables of SITE_LIMIT pointers
static List<SiteLog*>* touched_logs;  // [warp], since the last barrier
constexpr u32 SITE_LIMIT = 4096, OPEN_LIMIT = 1 << 16;

static Traffic& traffic(Space space, Action action) {
    return (space == Space::Shared ? counts.shared : counts.global)[u32(action)];
}

// An instruction has an id for each kind of memory that it reads, and for each that it writes: a struct's
// copy does both, and a pointer may lead to either. (An atomic is told by a call of its own.)
static u32 site_slot(u32 site, Space space, Action action) {
    return 4 * site + 2 * (space == Space::Shared) + (action == Action::Write);
}

static u32 lanes_of(const SiteLog& log, u32 turn) {
    u32 lanes = 0;
    for (u32 lane = 0; lane < 32; lane++) lanes |= u32(log.lane[lane].executed > turn) << lane;
    return lanes;
}

static void spell_out(const SiteLog& log, const Start& start, u32 lanes, WarpRequest& r) {
    r.lanes = lanes;
    r.width = log.width;
    for (u32 lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1) r.address[lane] = log.region->low + start.offset + u64(int64_t(log.lane[lane].delta));
}

// Counts the `n` oldest requests of a log and forgets them.
static void settle_requests(SiteLog& log, u32 n) {
    // Moving all lanes by whole words turns the banks, by whole sectors the sectors: the same cost.
    u32 period = log.space == Space::Shared ? 4 : 32, known = 0;
    Cost cost_at[32];
    u32 lanes = 0, until = 0;  // who takes part, and before which turn nobody leaves
    Traffic& sum = traffic(log.space, log.action);
    for (u32 i = 0; i < n; i++) {
        const Start& start = log.starts[i];
        if (UNLIKELY(start.odd)) {
            Cost cost = cost_of(log.odd.items[start.odd - 1], log.space, log.action);
            sum.units += cost.units;
            sum.conflicts += cost.conflicts;
            continue;
        }
        if (log.settled + i >= until) {
            lanes = lanes_of(log, log.settled + i);
            until = ~0u;
            for (const auto& l : log.lane)
                if (l.executed > log.settled + i && l.executed < until) until = l.executed;
            known = 0;
        }
        u32 phase = start.offset % period;
        if (!(known >> phase & 1)) {
            WarpRequest r;
            spell_out(log, start, lanes, r);
            cost_at[phase] = cost_of(r, log.space, log.action);
            known |= 1u << phase;
        }
        sum.units += cost_at[phase].units;
        sum.conflicts += cost_at[phase].conflicts;
    }
    sum.requests += n;
    for (u32 i = n; i < log.count; i++) log.starts[i - n] = log.starts[i];
    log.count -= n;
    log.settled += n;
    if (!log.count) log.odd.count = 0;
}

static void counts_flush_warp(u32 warp) {
    List<SiteLog*>& touched = touched_logs[warp];
    for (u64 i = 0; i < touched.count; i++) {
        SiteLog& log = *touched.items[i];
        settle_requests(log, log.count);
        u64 executed = 0;
        for (auto& l : log.lane) executed += l.executed, l.executed = 0;
        traffic(log.space, log.action).accesses += executed;
        log.settled = 0;
        log.touched = false;
    }
    touched.count = 0;
}

static void counts_flush() {
    for (u32 warp = 0; warp < block.warps; warp++) counts_flush_warp(warp);
}

static void counts_prepare(u32 warps) {
    site_ids = allocate_array<u16>(4 * request.module_image + 4);
    site_logs = allocate_array<SiteLog**>(warps);
    touched_logs = allocate_array<List<SiteLog*>>(warps);
    for (u32 w = 0; w < warps; w++) site_logs[w] = allocate_array<SiteLog*>(SITE_LIMIT);
}

// What is not the commonest access: the log's first, its first of this interval, one out of step.
static __attribute__((noinline)) void counts_odd(Thread& t, const Where& w, u64 address, u32 size, Action action, u32 site) {
    Space space = w.variable->space == Space::Shared ? Space::Shared : Space::Global;
    u64& plain = traffic(space, action).accesses;
    if (site > request.module_image) return void(plain++);
    u16& id = site_ids[site_slot(site, space, action)];
    if (!id) {
        if (site_id_count == SITE_LIMIT) return void(plain++);
        id = u16(++site_id_count);
    }
    SiteLog*& made = site_logs[t.warp][id - 1];
    if (!made) made = (SiteLog*)allocate(sizeof(SiteLog));
    SiteLog& log = *made;
    if (!log.touched) {
        log.touched = true;
        touched_logs[t.warp].push() = &log;
        log.region = w.region;
        log.space = space;
        log.action = action;
        log.width = size;
    }
    u32 turn = log.lane[t.lane].executed++;
    if (turn < log.settled) return;  // counted early, as it stood: see below
    u32 i = turn - log.settled;
    u64 offset = address - w.region->low;
    bool fits = w.region == log.region && size == log.width;
    if (i == log.count) {
        if (log.count == log.capacity) {
            if (log.count == OPEN_LIMIT) {
                // One lane is far ahead of the others: what is oldest is counted as it stands.
                settle_requests(log, OPEN_LIMIT / 2);
                i -= OPEN_LIMIT / 2;
            } else {
                u32 n = log.capacity ? log.capacity * 2 : 16;
                Start* more = allocate_array<Start>(n);
                for (u32 k = 0; k < log.count; k++) more[k] = log.starts[k];
                log.starts = more;
                log.capacity = n;
            }
        }
        if (!turn) log.lane[t.lane].delta = 0;
        // Where the lane would have to start before the region, the sum does not fit a Start.
        int64_t start = (int64_t)offset - log.lane[t.lane].delta;
        log.starts[log.count++] = {u32(start), 0};
        if (fits && start == (int64_t)u32(start)) return;
    } else if (!turn) {
        int64_t delta = (int64_t)offset - log.starts[i].offset;
        log.lane[t.lane].delta = int32_t(delta);
        if (fits && !log.starts[i].odd && delta == int32_t(delta)) return;
    }
    Start& start = log.starts[i];
    if (!start.odd) {
        if (fits && (int64_t)start.offset + log.lane[t.lane].delta == (int64_t)offset) return;
        u32 others = lanes_of(log, turn) & ~(1u << t.lane);
        spell_out(log, start, others, log.odd.push());
        start.odd = u32(log.odd.count);
    }
    WarpRequest& r = log.odd.items[start.odd - 1];
    r.lanes |= 1u << t.lane;
    r.address[t.lane] = address;
    r.width = size;
}

// The lane's first request of this interval, or the first lane's next one. False: it is neither, or
// takes more than a glance.
static __attribute__((noinline)) bool counts_begins(SiteLog& log, u32 lane, u64 offset) {
    auto& me = log.lane[lane];
    u32 turn = me.executed, i = turn - log.settled;
    if (!log.touched || log.settled) return false;
    if (!turn && log.count) {
        int64_t delta = (int64_t)offset - log.starts[0].offset;
        if (log.starts[0].odd || delta != int32_t(delta)) return false;
        me.delta = int32_t(delta);
    } else {
        int64_t start = (int64_t)offset - me.delta;
        if (!turn || i != log.count || log.count == log.capacity || start != (int64_t)u32(start)) return false;
        log.starts[log.count++] = {u32(start), 0};
    }
    me.executed = turn + 1;
    return true;
}

// The commonest access by far: the lane keeps its distance. False: it is not this one.
static ALWAYS_INLINE bool counts_in_step(SiteLog& log, u32 lane, u64 offset) {
    auto& me = log.lane[lane];
    u32 turn = me.executed, i = turn - log.settled;
    if (UNLIKELY(!turn || i >= log.count)) return counts_begins(log, lane, offset);
    const Start& start = log.starts[i];
    // An odd request's upper half makes this differ.
    if (UNLIKELY(((u64)start.odd << 32 | start.offset) + u64(int64_t(me.delta)) != offset)) return false;
    me.executed = turn + 1;
    return true;
}

// Returns the log that the access went to, if it did.
static SiteLog* counts_access(Thread& t, const Where& w, u64 address, u32 size, Action action, u32 site) {
    u32 id = site <= request.module_image ? site_ids[site_slot(site, w.variable->space, action)] : 0;
    SiteLog* log = id ? site_logs[t.warp][id - 1] : nullptr;
    if (LIKELY(log && log->touched && w.region == log->region && size == log->width) &&
        LIKELY(counts_in_step(*log, t.lane, address - w.region->low))) return log;
    counts_odd(t, w, address, size, action, site);
    return log;
}

// Called when the lanes of a warp have all had a turn: requests that each lane has passed are done.
static void counts_trim(u32 warp, u32 live_lanes) {
    List<SiteLog*>& touched = touched_logs[warp];
    for (u64 i = 0; i < touched.count; i++) {
        SiteLog& log = *touched.items[i];
        if (log.count < 1024) continue;
        u32 least = ~0u;
        for (u32 lane = 0; lane < 32; lane++)
            if ((live_lanes >> lane & 1) && log.lane[lane].executed < least) least = log.lane[lane].executed;
        if (least != ~0u && least > log.settled) settle_requests(log, least - log.settled < log.count ? least - log.settled : log.count);
    }
}
