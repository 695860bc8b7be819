// Memory traffic, per thread and per warp. A warp's threads run one after the other here, so the
// lanes of one request are brought together by instruction, barrier interval and `emu_place`: in which
// round of each loop around it the lane is, and through which calls it came; see loops.py.
//
// Mostly each lane of a warp comes to the same places in the same order: its next request is then the
// log's next one. Where that once fails, the log is `searched` by place until the next barrier.
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
    u64 place;   // of an odd request, whose lanes do not keep their distances, in reverse
    u32 offset;  // of its first lane in the region, as if lane 0 were `delta` 0; of an odd one the number of its WarpRequest
    u32 lanes;   // 0: it is odd
};
constexpr int32_t NO_DELTA = INT32_MIN;  // of a lane that made no request yet
// What one warp does at one instruction since the last barrier.
struct SiteLog {
    Start* starts;
    u32 count, capacity;
    u32 width;
    const Region* region;
    Space space;
    Action action;
    bool touched;
    bool searched;     // `slots` holds the requests by place
    u32* slots;        // number + 1 of a request that is not settled; 0: free
    u32 slot_count;    // a power of two, at least twice `capacity`
    List<WarpRequest> odd;
    u32 free_odd;      // number + 1 of one that is free; the next such is its first address
    struct {
        int32_t next;   // in `starts`, if it goes on as others did; below 0: that has been counted without it
        int32_t delta;  // its distance from where a request starts
    } lane[32];
};
extern "C" __attribute__((visibility("protected"))) u64 emu_place;
u64 emu_place;        // of the thread that runs
static u32 own_lane;  // the same, as a mask
static u16* site_ids;  // by site_slot: id + 1
static u32 site_id_count;
static SiteLog*** site_logs;       // [warp][site id], tables of SITE_LIMIT pointers
static List<SiteLog*>* touched_logs;  // [warp], since the last barrier
constexpr u32 SITE_LIMIT = 4096, OPEN_LIMIT = 1 << 15;

static Traffic& traffic(Space space, Action action) {
    return (space == Space::Shared ? counts.shared : counts.global)[u32(action)];
}

// An instruction has an id for each kind of memory that it reads, and for each that it writes: a struct's
// copy does both, and a pointer may lead to either. (An atomic is told by a call of its own.)
static u32 site_slot(u32 site, Space space, Action action) {
    return 4 * site + 2 * (space == Space::Shared) + (action == Action::Write);
}

static u32 lanes_of(const SiteLog& log, const Start& start) { return start.lanes ? start.lanes : log.odd.items[start.offset].lanes; }

static u32 take_odd(SiteLog& log) {
    u32 number = log.free_odd ? log.free_odd - 1 : u32(log.odd.count);
    if (log.free_odd) log.free_odd = u32(log.odd.items[number].address[0]);
    else log.odd.push();
    return number;
}

static void spell_out(const SiteLog& log, const Start& start, WarpRequest& r) {
    r.lanes = start.lanes;
    r.width = log.width;
    for (u32 lane = 0; lane < 32; lane++)
        if (start.lanes >> lane & 1) r.address[lane] = log.region->low + start.offset + u64(int64_t(log.lane[lane].delta));
}

static u64 place_of(const Start& start) { return start.lanes ? start.place : ~start.place; }
static void make_odd(Start& start, u32 number) { start = {~start.place, number, 0}; }

static u32 first_slot(const SiteLog& log, u64 place) { return u32(place * 0x9e3779b97f4a7c15 >> 32) & (log.slot_count - 1); }

static void fill_slot(SiteLog& log, u32 i) {
    u32 slot = first_slot(log, place_of(log.starts[i]));
    while (log.slots[slot]) slot = (slot + 1) & (log.slot_count - 1);
    log.slots[slot] = i + 1;
}

static void fill_slots(SiteLog& log) {
    if (log.slot_count < 2 * log.capacity) {
        log.slot_count = 2 * log.capacity;
        log.slots = allocate_array<u32>(log.slot_count);
    } else {
        __builtin_memset(log.slots, 0, log.slot_count * sizeof(u32));
    }
    for (u32 i = 0; i < log.count; i++) fill_slot(log, i);
    log.searched = true;
}

static void grow(SiteLog& log) {
    u32 n = log.capacity ? log.capacity * 2 : 16;
    Start* more = allocate_array<Start>(n);
    for (u32 k = 0; k < log.count; k++) more[k] = log.starts[k];
    log.starts = more;
    log.capacity = n;
    if (log.searched) fill_slots(log);
}

// The request that a lane takes part in at this place; `count` if it is a new one. A lane that comes to a
// place a second time, in ways that are not a loop's, makes a second request.
static u32 find_request(const SiteLog& log, u64 place) {
    for (u32 slot = first_slot(log, place); log.slots[slot]; slot = (slot + 1) & (log.slot_count - 1)) {
        const Start& start = log.starts[log.slots[slot] - 1];
        if (place_of(start) == place && !(lanes_of(log, start) & own_lane)) return log.slots[slot] - 1;
    }
    return log.count;
}

// Counts the `n` oldest requests of a log and forgets them.
static void settle_requests(SiteLog& log, u32 n) {
    // Moving all lanes by whole words turns the banks, by whole sectors the sectors: the same cost.
    u32 period = log.space == Space::Shared ? 4 : 32, known = 0;
    Cost cost_at[32];
    u32 lanes = 0;  // of the requests whose costs are known
    u64 accesses = 0;
    Traffic& sum = traffic(log.space, log.action);
    for (u32 i = 0; i < n; i++) {
        const Start& start = log.starts[i];
        accesses += u32(__builtin_popcount(lanes_of(log, start)));
        if (UNLIKELY(!start.lanes)) {
            WarpRequest& r = log.odd.items[start.offset];
            Cost cost = cost_of(r, log.space, log.action);
            sum.units += cost.units;
            sum.conflicts += cost.conflicts;
            r.address[0] = log.free_odd;
            log.free_odd = start.offset + 1;
            continue;
        }
        if (start.lanes != lanes) {
            lanes = start.lanes;
            known = 0;
        }
        u32 phase = start.offset % period;
        if (!(known >> phase & 1)) {
            WarpRequest r;
            spell_out(log, start, r);
            cost_at[phase] = cost_of(r, log.space, log.action);
            known |= 1u << phase;
        }
        sum.units += cost_at[phase].units;
        sum.conflicts += cost_at[phase].conflicts;
    }
    sum.accesses += accesses;
    sum.requests += n;
    for (u32 i = n; i < log.count; i++) log.starts[i - n] = log.starts[i];
    log.count -= n;
    for (auto& lane : log.lane) lane.next -= int32_t(n);
    if (!log.count) log.odd.count = log.free_odd = 0;
    if (log.searched) fill_slots(log);
}

static void counts_flush_warp(u32 warp) {
    List<SiteLog*>& touched = touched_logs[warp];
    for (u64 i = 0; i < touched.count; i++) {
        SiteLog& log = *touched.items[i];
        log.searched = false;
        settle_requests(log, log.count);
        for (auto& lane : log.lane) lane = {0, NO_DELTA};
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
    if (!made) {
        made = (SiteLog*)allocate(sizeof(SiteLog));
        for (auto& lane : made->lane) lane.delta = NO_DELTA;
    }
    SiteLog& log = *made;
    if (!log.touched) {
        log.touched = true;
        touched_logs[t.warp].push() = &log;
        log.region = w.region;
        log.space = space;
        log.action = action;
        log.width = size;
    }
    auto& me = log.lane[t.lane];
    if (me.next < 0 && !log.searched) return me.next++, void(plain++);  // counted early, as it stood
    u32 i = u32(me.next);
    if (i >= log.count || place_of(log.starts[i]) != emu_place || lanes_of(log, log.starts[i]) & own_lane) {
        if (i != log.count && !log.searched) fill_slots(log);
        i = log.searched ? find_request(log, emu_place) : log.count;
    }
    if (i == OPEN_LIMIT) {
        // One lane is far ahead of the others: what is oldest is counted as it stands.
        settle_requests(log, OPEN_LIMIT / 2);
        i -= OPEN_LIMIT / 2;
    }
    u64 offset = address - w.region->low;
    bool fits = w.region == log.region && size == log.width;
    me.next = int32_t(i + 1);
    if (i == log.count) {
        if (log.count == log.capacity) grow(log);
        if (me.delta == NO_DELTA) me.delta = 0;
        // Where the lane would have to start before the region, the sum does not fit a Start.
        int64_t start = int64_t(offset) - me.delta;
        log.starts[log.count++] = {emu_place, u32(start), own_lane};
        if (log.searched) fill_slot(log, i);
        if (fits && start == int64_t(u32(start))) return;
        make_odd(log.starts[i], take_odd(log));
        log.odd.items[log.starts[i].offset].lanes = 0;
    }
    Start& start = log.starts[i];
    if (start.lanes) {
        int64_t delta = int64_t(offset) - start.offset;
        if (me.delta == NO_DELTA && delta == int32_t(delta)) me.delta = int32_t(delta);
        if (fits && delta == me.delta) return void(start.lanes |= own_lane);
        u32 number = take_odd(log);
        spell_out(log, start, log.odd.items[number]);
        make_odd(start, number);
    }
    WarpRequest& r = log.odd.items[start.offset];
    r.lanes |= own_lane;
    r.address[t.lane] = address;
    r.width = size;
}

// The lane's first request of this interval, or the first lane's next one. False: it is neither, or
// takes more than a glance.
static __attribute__((noinline)) bool counts_begins(SiteLog& log, u32 lane, u64 offset) {
    auto& me = log.lane[lane];
    if (!log.touched || log.searched) return false;
    if (!me.next && log.count) {
        Start& start = log.starts[0];
        int64_t delta = int64_t(offset) - start.offset;
        if (start.place != emu_place || delta != int32_t(delta)) return false;
        me.delta = int32_t(delta);
        start.lanes |= own_lane;
    } else {
        int64_t start = int64_t(offset) - me.delta;
        if (!me.next || u32(me.next) != log.count || log.count == log.capacity || start != int64_t(u32(start))) return false;
        log.starts[log.count++] = {emu_place, u32(start), own_lane};
    }
    me.next++;
    return true;
}

// The commonest access by far: the lane comes to the same place as others, and keeps its distance. False: it is
// not this one.
static ALWAYS_INLINE bool counts_in_step(SiteLog& log, u32 lane, u64 offset) {
    auto& me = log.lane[lane];
    u32 i = u32(me.next);
    if (UNLIKELY(i >= log.count)) return counts_begins(log, lane, offset);
    Start& start = log.starts[i];
    if (UNLIKELY(start.place != emu_place || start.offset + u64(int64_t(me.delta)) != offset)) return counts_begins(log, lane, offset);
    start.lanes |= own_lane;
    me.next++;
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

// Called when the lanes of a warp have all had a turn: requests in which each takes part are done.
static void counts_trim(u32 warp, u32 live_lanes) {
    List<SiteLog*>& touched = touched_logs[warp];
    for (u64 i = 0; i < touched.count; i++) {
        SiteLog& log = *touched.items[i];
        if (log.count < 1024) continue;
        u32 n = 0;
        while (n < log.count && !(live_lanes & ~lanes_of(log, log.starts[n]))) n++;
        if (n >= log.count / 2) settle_requests(log, n);
    }
}
