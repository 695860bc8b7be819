// Memory traffic, per thread and per warp. A warp's threads run one after the other here, so the
// lanes of one request are brought together by (instruction, how often this lane has executed it
// since the last barrier). Where lanes loop different numbers of times this is approximate.
//
// In nearly every loop the lanes keep their distances: lane 5 is always 20 bytes behind lane 0. So a
// log keeps a distance for each lane, and of each request only where it starts; a request that does not
// fit keeps the address of every lane. The distances are kept over barriers, since what comes next is mostly
// the same loop again.
#pragma once
#include "../recent.h"
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

struct OddRequest {
    u64 start;  // as if it were none
    WarpRequest request;
};
// What one warp does at one instruction since the last barrier.
struct SiteLog {
    u64* starts;  // where each request would begin for a lane of distance 0; or ODD + the number of its OddRequest
    u32 count, capacity;
    u32 settled;  // requests already counted and dropped from the front of `starts`
    u32 width;
    Space space;
    Action action;
    bool touched;
    bool left_behind;  // a lane has made fewer than are settled
    Recent* recent;  // the one that refers here, if any
    List<OddRequest> odd;
    LaneTurn lane[32];
    // What a request cost, by where it starts: mostly the next ones cost the same.
    u32 known, known_lanes;  // of which starts; and who took part
    Cost cost_at[32];
};
constexpr u64 ODD = 1ull << 63, NEVER = ~0ull;  // NEVER stands behind the last start: no access fits it
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

static void spell_out(const SiteLog& log, u64 start, u32 lanes, WarpRequest& r) {
    r.lanes = lanes;
    r.width = log.width;
    for (u32 lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1) r.address[lane] = start + u64(int64_t(log.lane[lane].delta));
}

static void keep_recent(SiteLog& log) {
    if (log.recent && log.recent->log == &log) log.recent->starts = log.starts - log.settled;
}
static void forget_recent(SiteLog& log) {
    if (log.recent && log.recent->log == &log) log.recent->span = 0;
}

// Counts the `n` oldest requests of a log and forgets them; `all` says that every lane has a part in each.
static void settle_requests(SiteLog& log, u32 n, bool all = false) {
    // Moving all lanes by whole words turns the banks, by whole sectors the sectors: the same cost.
    u32 period = log.space == Space::Shared ? 4 : 32;
    u32 until = 0;  // before which turn nobody leaves
    Traffic& sum = traffic(log.space, log.action);
    for (u32 i = 0; i < n; i++) {
        u64 start = log.starts[i];
        if (UNLIKELY(start >= ODD)) {
            Cost cost = cost_of(log.odd.items[start - ODD].request, log.space, log.action);
            sum.units += cost.units;
            sum.conflicts += cost.conflicts;
            continue;
        }
        if (log.settled + i >= until) {
            u32 lanes = all ? ~0u : lanes_of(log, log.settled + i);
            until = ~0u;
            if (!all)
                for (const auto& l : log.lane)
                    if (l.executed > log.settled + i && l.executed < until) until = l.executed;
            if (lanes != log.known_lanes) log.known_lanes = lanes, log.known = 0;
        }
        u32 phase = u32(start % period);
        if (!(log.known >> phase & 1)) {
            WarpRequest r;
            spell_out(log, start, log.known_lanes, r);
            log.cost_at[phase] = cost_of(r, log.space, log.action);
            log.known |= 1u << phase;
        }
        sum.units += log.cost_at[phase].units;
        sum.conflicts += log.cost_at[phase].conflicts;
    }
    sum.requests += n;
    for (u32 i = n; i < log.count; i++) log.starts[i - n] = log.starts[i];
    log.count -= n;
    log.settled += n;
    log.starts[log.count] = NEVER;
    if (!log.count) log.odd.count = 0;
    keep_recent(log);
}

// Returns how many accesses it has counted.
static u64 counts_flush_warp(u32 warp) {
    u64 made = 0;
    List<SiteLog*>& touched = touched_logs[warp];
    for (u64 i = 0; i < touched.count; i++) {
        SiteLog& log = *touched.items[i];
        u64 executed = 0;
        for (const auto& l : log.lane) executed += l.executed;
        settle_requests(log, log.count, !log.settled && executed == 32ull * log.count);
        for (auto& l : log.lane) l.executed = 0;
        traffic(log.space, log.action).accesses += executed;
        log.settled = 0;
        log.touched = log.left_behind = false;
        keep_recent(log);
        made += executed;
    }
    touched.count = 0;
    return made;
}

static u64 counts_flush() {
    u64 made = 0;
    for (u32 warp = 0; warp < block.warps; warp++) made += counts_flush_warp(warp);
    return made;
}

static void counts_prepare(u32 warps) {
    site_ids = allocate_array<u16>(4 * request.module_image + 4);
    site_logs = allocate_array<SiteLog**>(warps);
    touched_logs = allocate_array<List<SiteLog*>>(warps);
    for (u32 w = 0; w < warps; w++) site_logs[w] = allocate_array<SiteLog*>(SITE_LIMIT);
}

static void touch(SiteLog& log, u32 warp) {
    log.touched = true;
    touched_logs[warp].push() = &log;
}

static void push_start(SiteLog& log, u64 start) {
    log.starts[log.count++] = start;
    log.starts[log.count] = NEVER;
}

static void make_room(SiteLog& log) {
    if (log.count == OPEN_LIMIT) {
        // One lane is far ahead of the others: what is oldest is counted as it stands.
        forget_recent(log);
        log.left_behind = true;
        settle_requests(log, OPEN_LIMIT / 2);
        return;
    }
    u32 n = log.capacity ? log.capacity * 2 : 16;
    u64* more = allocate_array<u64>(n + 1);
    for (u32 k = 0; k < log.count; k++) more[k] = log.starts[k];
    log.starts = more;
    log.capacity = n;
    keep_recent(log);
}

// What is not the commonest access: the log's first, or one out of step.
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
        touch(log, t.warp);
        log.space = space;
        log.action = action;
        log.width = size;
        log.known = 0;
    }
    LaneTurn& me = log.lane[t.lane];
    u32 turn = me.executed++;
    if (turn < log.settled) return;  // counted early, as it stood: see make_room
    bool fits = size == log.width;
    if (turn - log.settled == log.count) {
        if (log.count == log.capacity) make_room(log);
        push_start(log, address - u64(int64_t(me.delta)));
        if (fits) return;
    }
    u64& start = log.starts[turn - log.settled];
    if (!turn) {
        int64_t delta = int64_t(address - (start < ODD ? start : log.odd.items[start - ODD].start));
        if (delta == int32_t(delta)) me.delta = int32_t(delta), log.known = 0;
    }
    if (start < ODD) {
        if (fits && start + u64(int64_t(me.delta)) == address) return;
        u32 others = lanes_of(log, turn) & ~(1u << t.lane);
        OddRequest& odd = log.odd.push();
        odd.start = start;
        spell_out(log, start, others, odd.request);
        start = ODD + log.odd.count - 1;
    }
    WarpRequest& r = log.odd.items[start - ODD].request;
    r.lanes |= 1u << t.lane;
    r.address[t.lane] = address;
    r.width = size;
}

// The next request's first lane; or a lane's first request of this interval, at another distance than before.
// False: it is neither, or takes more than a glance.
static __attribute__((noinline)) bool counts_begins(SiteLog& log, u32 warp, u32 lane, u64 address) {
    LaneTurn& me = log.lane[lane];
    if (log.left_behind) return false;
    if (me.executed - log.settled == log.count) {
        if (log.count == log.capacity) return false;
        if (!log.touched) touch(log, warp);
        push_start(log, address - u64(int64_t(me.delta)));
    } else {
        if (me.executed || log.starts[0] >= ODD) return false;
        int64_t delta = int64_t(address - log.starts[0]);
        if (delta != int32_t(delta)) return false;
        me.delta = int32_t(delta);
        log.known = 0;
    }
    me.executed++;
    return true;
}

// The commonest access by far: the lane keeps its distance. False: it is not this one. (inline_hooks.cpp says the same.)
static ALWAYS_INLINE bool counts_in_step(SiteLog& log, u32 warp, u32 lane, u64 address) {
    LaneTurn& me = log.lane[lane];
    u32 i = me.executed - log.settled;
    if (UNLIKELY(i >= log.count || log.starts[i] + u64(int64_t(me.delta)) != address)) return counts_begins(log, warp, lane, address);
    me.executed++;
    return true;
}

// Returns the log that the access went to, if it did.
static SiteLog* counts_access(Thread& t, const Where& w, u64 address, u32 size, Action action, u32 site) {
    u32 id = site <= request.module_image ? site_ids[site_slot(site, w.variable->space, action)] : 0;
    SiteLog* log = id ? site_logs[t.warp][id - 1] : nullptr;
    if (LIKELY(log && log->touched && size == log->width) && LIKELY(counts_in_step(*log, t.warp, t.lane, address))) return log;
    counts_odd(t, w, address, size, action, site);
    return log;
}

static u32 live_lanes(u32 warp);  // see warps.h

// Called when the lanes of a warp have all had a turn: requests that each lane has passed are done.
static void counts_trim(u32 warp) {
    List<SiteLog*>& touched = touched_logs[warp];
    for (u64 i = 0; i < touched.count; i++) {
        SiteLog& log = *touched.items[i];
        if (LIKELY(log.count < 1024)) continue;
        u32 live = live_lanes(warp), least = ~0u;
        for (u32 lane = 0; lane < 32; lane++)
            if ((live >> lane & 1) && log.lane[lane].executed < least) least = log.lane[lane].executed;
        if (least != ~0u && least > log.settled) settle_requests(log, least - log.settled < log.count ? least - log.settled : log.count);
    }
}
