// Memory traffic, per thread and per warp. A warp's threads run one after the other here, so the
// lanes of one request are brought together by instruction, barrier interval and place: in which
// round of each loop around it the lane is, and through which calls it came; see loops.py.
#pragma once
#include "site_log.h"

static u16* site_ids;  // by site_slot: id + 1
static u32 site_id_count;
constexpr u32 SITE_LIMIT = 4096;
static SiteLog*** site_logs;          // [warp][site id], tables of SITE_LIMIT pointers, and one for what has no id
static List<SiteLog*>* touched_logs;  // [warp], since the last barrier

// An instruction has an id for each kind of memory that it reads, and for each that it writes: a struct's
// copy does both, and a pointer may lead to either. (An atomic is told by a call of its own.)
static u32 site_slot(u32 site, Space space, Action action) {
    return 4 * site + 2 * (space == Space::Shared) + (action == Action::Write);
}

// The number of what an instruction does to one kind of memory, from 1; 0 if there are too many.
static u32 site_id(u32 site, Space space, Action action) {
    u16& id = site_ids[site_slot(site, space, action)];
    if (!id && site_id_count < SITE_LIMIT) {
        site_traffic[site_id_count] = {site, space, action, 0, 0, 0};
        id = u16(++site_id_count);
    }
    return id;
}

// What another worker has seen.
static void add_site_traffic(const SiteTraffic& other) {
    u32 id = site_id(other.site, other.space, other.action);
    if (!id) return;
    SiteTraffic& sum = site_traffic[id - 1];
    sum.requests += other.requests;
    sum.units += other.units;
    sum.conflicts += other.conflicts;
}

static void counts_answer() {
    const Traffic &gr = counts.global[0], &gw = counts.global[1], &ga = counts.global[2];
    const Traffic &sr = counts.shared[0], &sw = counts.shared[1], &sa = counts.shared[2];
    answer.counts = {
        .global_loads = gr.accesses,
        .global_stores = gw.accesses,
        .shared_loads = sr.accesses,
        .shared_stores = sw.accesses,
        .atomics = ga.accesses + sa.accesses,
        .global_atomics = ga.accesses,
        .barriers = counts.barriers,
        .global_load_requests = gr.requests,
        .global_load_sectors = gr.units,
        .global_store_requests = gw.requests,
        .global_store_sectors = gw.units,
        .shared_load_requests = sr.requests,
        .shared_load_conflicts = sr.conflicts,
        .shared_store_requests = sw.requests,
        .shared_store_conflicts = sw.conflicts,
        .shared_load_wavefronts = sr.units,
        .shared_store_wavefronts = sw.units,
        .global_atomic_requests = ga.requests,
        .global_atomic_sectors = ga.units,
        .shared_atomic_requests = sa.requests,
        .shared_atomic_wavefronts = sa.units,
        .constant_loads = counts.constant_loads,
        .shuffles = counts.shuffles,
        .votes = counts.votes,
        .compare_and_swaps = counts.compare_and_swaps,
    };
    SiteTraffic* told = allocate_array<SiteTraffic>(site_id_count);
    u64 n = 0;
    for (u32 i = 0; i < site_id_count; i++) {
        const SiteTraffic& t = site_traffic[i];
        if (t.action != Action::Atomic && t.units > t.requests) told[n++] = t;  // no request is ever cheaper than one
    }
    answer.traffic = {told, n};
}

static void counts_flush_warp(u32 warp) {
    List<SiteLog*>& touched = touched_logs[warp];
    for (u64 i = 0; i < touched.count; i++) settle_log(*touched.items[i]);
    touched.count = 0;
}

// Returns how many accesses there were since the last barrier.
static u64 counts_flush() {
    for (u32 warp = 0; warp < block.warps; warp++) counts_flush_warp(warp);
    u64 all = made;
    made = 0;
    return all;
}

static void counts_prepare(u32 warps) {
    site_ids = allocate_array<u16>(4 * request.module_image + 4);
    site_traffic = (SiteTraffic*)allocate_lazily(SITE_LIMIT * sizeof(SiteTraffic));
    site_logs = allocate_array<SiteLog**>(warps);
    touched_logs = allocate_array<List<SiteLog*>>(warps);
    for (u32 w = 0; w < warps; w++) site_logs[w] = allocate_array<SiteLog*>(SITE_LIMIT + 1);
}

static SiteLog& log_of(u32 warp, u32 index) {
    SiteLog*& log = site_logs[warp][index];
    if (!log) {
        log = (SiteLog*)allocate(sizeof(SiteLog));
        log->lane = log->own;
    }
    return *log;
}

static void touch(SiteLog& log, u32 warp) {
    log.touched = true;
    touched_logs[warp].push() = &log;
}

// What is not the commonest access: the log's first, or one out of step.
static __attribute__((noinline)) void counts_odd(Thread& t, const Where& w, u64 address, u32 size, Action action,
                                                 u32 site) {
    Space space = w.variable->space == Space::Shared ? Space::Shared : Space::Global;
    auto count_alone = [&](u32 index) {
        traffic(space, action).accesses++, made++, log_of(t.warp, index).uses[t.lane]++;
    };
    if (site > request.module_image) return count_alone(SITE_LIMIT);
    u32 id = site_id(site, space, action);
    if (!id) return count_alone(SITE_LIMIT);
    SiteLog& log = log_of(t.warp, id - 1);
    if (!log.touched) {
        touch(log, t.warp);
        log.site = site;
        log.id = id - 1;
        log.space = space;
        log.action = action;
        log.width = size;
        log.known = 0;
    }
    auto me = [&]() -> LaneTurn& { return log.lane[t.lane]; };  // asked for anew: a log may move them
    u64 place = running.place;
    u32 bit = 1u << t.lane;
    if (me().next < log.requests && !log.searched)
        return me().next++, count_alone(id - 1);  // its request was counted, as it stood
    u32 i = u32(me().next - log.requests);
    if (!log.searched && i != log.count && log.requests[i].place != place) begin_search(log);
    if (log.searched && (i >= log.count || log.requests[i].place != place || log.requests[i].lanes & bit))
        i = find_request(log, place, t.lane);
    bool first = log.searched ? !(log.begun & bit) : !i, fits = size == log.width;
    bool alone = i == log.count;
    if (alone) {
        i -= make_room(log);
        push_request(log, place, address - u64(me().delta));
        if (log.searched) fill_slot(log, i);
    }
    Meeting& m = log.requests[i];
    if (first && !alone) {
        int64_t delta = int64_t(address - m.start);
        if (delta == int32_t(delta)) move_lane(log, me(), delta);
    }
    if (!m.odd && !(fits && m.start + u64(me().delta) == address)) {
        u32 until, others = alone ? 0 : lanes_of(log, i, until);
        m.odd = take_odd(log) + 1;
        m.fits = NEVER;
        spell_out(log, m.start, others, log.odd.items[m.odd - 1]);
    }
    me().next = log.requests + i + 1;
    m.lanes |= bit;
    log.begun |= bit;
    if (LIKELY(!m.odd)) return;
    WarpRequest& r = log.odd.items[m.odd - 1];
    r.lanes |= bit;
    r.address[t.lane] = address;
    r.width = size;
}

// The next request's first lane; or a lane's first request of this interval, at another distance than before.
// False: it is neither, or takes more than a glance.
static __attribute__((noinline)) bool counts_begins(SiteLog& log, u32 warp, u32 lane, u64 address) {
    LaneTurn& me = log.lane[lane];
    u64 place = running.place;
    if (log.searched || log.left_behind) return false;
    if (me.next == log.requests + log.count) {
        if (log.count == log.capacity) return false;
        if (!log.touched) touch(log, warp);
        push_request(log, place, address - u64(me.delta));
    } else {
        const Meeting& m = log.requests[0];
        int64_t delta = int64_t(address - m.start);
        if (me.next != log.requests || m.odd || m.place != place || delta != int32_t(delta)) return false;
        move_lane(log, me, delta);
    }
    me.next++;
    return true;
}

// The commonest access by far: the lane comes to the same place as others, and keeps its distance. False: it is not
// this one. (inline_hooks.cpp says the same.)
static ALWAYS_INLINE bool counts_in_step(SiteLog& log, u32 warp, u32 lane, u64 address) {
    LaneTurn& me = log.lane[lane];
    const Meeting& m = *me.next;
    bool fits = u64(me.next - log.requests) < log.count && !m.odd && m.place == running.place &&
                m.start + u64(me.delta) == address;
    if (UNLIKELY(!fits || log.searched)) return counts_begins(log, warp, lane, address);
    me.next++;
    return true;
}

// Returns the log that the access went to, if it did.
static SiteLog* counts_access(Thread& t, const Where& w, u64 address, u32 size, Action action, u32 site) {
    u32 id = site <= request.module_image ? site_ids[site_slot(site, w.variable->space, action)] : 0;
    SiteLog* log = id ? site_logs[t.warp][id - 1] : nullptr;
    if (LIKELY(log && log->touched && size == log->width) && LIKELY(counts_in_step(*log, t.warp, t.lane, address)))
        return log;
    counts_odd(t, w, address, size, action, site);
    return log;
}

static u32 live_lanes(u32 warp);  // see warps.h

// Called when the lanes of a warp have all had a turn: requests in which each takes part are done.
static void counts_trim(u32 warp) {
    List<SiteLog*>& touched = touched_logs[warp];
    for (u64 i = 0; i < touched.count; i++) {
        SiteLog& log = *touched.items[i];
        if (LIKELY(log.count < 1024)) continue;
        u32 live = live_lanes(warp), n = 0, until = 0;
        while (n < log.count && !(live & ~lanes_of(log, n, until))) n = until;
        if (n >= log.count / 2) settle_requests(log, n);
    }
}
