// What one warp does at one instruction: its requests since the last barrier. A warp's threads run one after the other
// here, so the lanes of a request are brought together by its loop-iteration hash: in which round of each loop around
// it a lane is, and through which calls it came; see loops.py.
//
// Mostly each lane of a warp comes to the same iterations in the same order: then a lane has a part in as many of the
// log's requests as it has made, and its next request is the log's next one. Where that once fails, the log is
// `searched` by hash until the next barrier. A request keeps only where it starts, see lane_view.h; one that does not
// fit keeps the address of every lane.
#pragma once
#include "lane_view.h"
#include "request_cost.h"

struct Totals {
    u64 accesses;  // by thread
    u64 bytes;     // of these
    u64 requests;
    u64 units, conflicts, as_stores;  // see Cost
    u64 units_at_best;                // see cost_at_best; of what the lanes of a warp could have done together
};

struct RequestLog {
    // What the commonest access needs, in one cache line.
    RequestSlot* requests;  // and one after the last, which nothing fits
    u32 count, capacity;
    bool touched;
    bool searched;    // `table` holds the requests by hash
    bool is_lagging;  // a lane has made fewer than are settled: its `next` is below the first
    bool remote;      // of other blocks' shared memory: only counted, it has no requests
    Action action;
    Space space;
    LaneView view;
    u32* table;      // number + 1 of a request; 0: free
    u32 table_size;  // a power of two, at least twice `capacity`
    u32 begun;       // of a searched log: the lanes that made a request
    Vector<WarpRequest> odd;
    u32 free_odd;  // number + 1 of one that is free; the next such is its first address
    // What a request cost, by where it starts: mostly the next ones cost the same.
    u32 known, known_lanes;  // of which starts; and who took part
    Cost cost_at[32];
    u32 site;
    Totals *sum, *here;  // of this kind of access; and of them, at this instruction (null: they have no Site)
    u64 accesses[32];    // by lane, that were counted since the block began
    u64 at_best;         // what the requests take at best that were counted since then
};
static u64 counted;  // accesses, since the last barrier
constexpr u32 MAX_OPEN_REQUESTS = 1 << 15;

// Who has a part in request `i`, and, up to `until`, in those after it.
static u32 lanes_of(const RequestLog& log, u32 i, u32& until) {
    until = i + 1;
    if (log.searched) return log.requests[i].lanes;
    // Mostly all of them have made all.
    const LaneCursor* lane_at = log.view.lane;
    u64 left = 0;
    for (u32 lane = 0; lane < 32; lane++) left |= u64(lane_at[lane].next) ^ u64(log.requests + log.count);
    until = log.count;
    if (!left) return ~0u;
    u32 lanes = 0;
    for (u32 lane = 0; lane < 32; lane++) {
        i64 next = lane_at[lane].next - log.requests;
        if (next <= i64(i)) continue;
        lanes |= 1u << lane;
        if (u64(next) < until) until = u32(next);
    }
    return lanes;
}

// From now on the lane has another distance.
static void move_lane(RequestLog& log, LaneCursor& me, i64 delta) {
    log.known = 0;
    move_lane(log.view, me, delta, log.requests, log.count);
}

// ---- requests that keep the address of every lane --------------------------------------------------
static void spell_out(const RequestLog& log, u64 start, u32 lanes, WarpRequest& r) {
    r.lanes = lanes;
    r.width = log.view.width;
    for (u32 lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1) r.address[lane] = start + u64(log.view.lane[lane].delta);
}

static u32 take_odd(RequestLog& log) {
    u32 number = log.free_odd ? log.free_odd - 1 : u32(log.odd.count);
    if (log.free_odd) log.free_odd = u32(log.odd.items[number].address[0]);
    else log.odd.push();
    return number;
}

// ---- a log by hash ------------------------------------------------------------------------------------
static u32 first_entry(const RequestLog& log, u64 loop_hash) {
    return u32(loop_hash * 0x9e3779b97f4a7c15 >> 32) & (log.table_size - 1);
}

static void enter_request(RequestLog& log, u32 i) {
    u32 entry = first_entry(log, log.requests[i].loop_hash);
    while (log.table[entry]) entry = (entry + 1) & (log.table_size - 1);
    log.table[entry] = i + 1;
}

static void enter_requests(RequestLog& log) {
    if (log.table_size < 2 * log.capacity) {
        log.table_size = 2 * log.capacity;
        log.table = allocate_array<u32>(log.table_size);
    } else {
        __builtin_memset(log.table, 0, log.table_size * sizeof(u32));
    }
    for (u32 i = 0; i < log.count; i++) enter_request(log, i);
}

// The lanes do not come to the same iterations in the same order.
static void begin_search(RequestLog& log) {
    for (u32 i = 0, until = 0; i < log.count;)
        for (u32 lanes = lanes_of(log, i, until); i < until; i++) log.requests[i].lanes = lanes;
    log.begun = 0;
    for (u32 lane = 0; lane < 32; lane++) log.begun |= u32(log.view.lane[lane].next != log.requests) << lane;
    log.searched = true;
    enter_requests(log);
    hide(log.view);
}

// The request that a lane takes part in here; `count` if it is a new one. A lane that comes to the same iteration a
// second time, in ways that are not a loop's, makes a second request.
static u32 find_request(const RequestLog& log, u64 loop_hash, u32 lane) {
    for (u32 e = first_entry(log, loop_hash); log.table[e]; e = (e + 1) & (log.table_size - 1)) {
        const RequestSlot& r = log.requests[log.table[e] - 1];
        if (r.loop_hash == loop_hash && !(r.lanes >> lane & 1)) return log.table[e] - 1;
    }
    return log.count;
}

// ---- counting -----------------------------------------------------------------------------------------
static void add_cost(RequestLog& log, Cost cost) {
    log.sum->units += cost.units, log.here->units += cost.units;
    log.sum->conflicts += cost.conflicts, log.here->conflicts += cost.conflicts;
    log.sum->as_stores += cost.as_store, log.here->as_stores += cost.as_store;
    log.at_best += cost.at_best;
}

static void add_accesses(RequestLog& log, u32 lanes, u64 requests) {
    if (LIKELY(lanes == ~0u)) {
        for (u64& n : log.accesses) n += requests;
        return;
    }
    for (; lanes; lanes &= lanes - 1) log.accesses[__builtin_ctz(lanes)] += requests;
}

// Counts the `n` oldest requests of a log.
static void count_requests(RequestLog& log, u32 n) {
    // Moving all lanes by whole words turns the banks, by whole sectors the sectors: the same cost.
    u32 period = log.space == Space::Shared ? 4 : 32;
    u64 accesses = 0;
    for (u32 i = 0, until = 0; i < n;) {
        u32 lanes = lanes_of(log, i, until);
        if (until > n) until = n;
        accesses += u64(until - i) * u32(__builtin_popcount(lanes));
        add_accesses(log, lanes, until - i);
        if (lanes != log.known_lanes) log.known_lanes = lanes, log.known = 0;
        for (; i < until; i++) {
            const RequestSlot& slot = log.requests[i];
            if (UNLIKELY(slot.odd)) {
                WarpRequest& r = log.odd.items[slot.odd - 1];
                add_cost(log, cost_of(r, log.space, log.action));
                r.address[0] = log.free_odd;
                log.free_odd = slot.odd;
                continue;
            }
            u32 phase = u32(slot.start % period);
            if (!(log.known >> phase & 1)) {
                WarpRequest r;
                spell_out(log, slot.start, lanes, r);
                log.cost_at[phase] = cost_of(r, log.space, log.action);
                log.known |= 1u << phase;
            }
            add_cost(log, log.cost_at[phase]);
        }
    }
    log.sum->accesses += accesses;
    log.sum->bytes += accesses * log.view.width;
    counted += accesses;
    log.sum->requests += n;
    log.here->requests += n;
}

// Counts them, and forgets them.
static void settle_requests(RequestLog& log, u32 n) {
    count_requests(log, n);
    for (u32 i = n; i < log.count; i++) log.requests[i - n] = log.requests[i];
    log.count -= n;
    log.requests[log.count].fits = NEVER;
    for (u32 lane = 0; lane < 32; lane++) log.view.lane[lane].next -= n;
    if (log.searched) enter_requests(log);
}

// The same of all of them: a new barrier interval begins.
static void settle_log(RequestLog& log) {
    count_requests(log, log.count);
    log.count = log.free_odd = 0;
    log.odd.count = 0;
    if (log.requests) log.requests->fits = NEVER;
    for (u32 lane = 0; lane < 32; lane++) log.view.lane[lane].next = log.requests;
    show_none(log.view);
    log.touched = log.searched = log.is_lagging = log.view.mixed = false;
}

// ---- making requests ------------------------------------------------------------------------------
static ALWAYS_INLINE void push_request(RequestLog& log, u64 loop_hash, u64 start) {
    RequestSlot& r = log.requests[log.count++];
    r = {loop_hash, NEVER, start, 0, 0};
    log.requests[log.count].fits = NEVER;
    show(log.view, r);
}

// So that one more request can be pushed. Returns by how much the others' numbers are less than before.
static u32 make_room(RequestLog& log) {
    if (log.count < log.capacity) return 0;
    if (log.count == MAX_OPEN_REQUESTS) {
        // One lane is far ahead of the others: what is oldest is counted as it stands.
        hide(log.view);
        log.is_lagging = true;
        settle_requests(log, MAX_OPEN_REQUESTS / 2);
        return MAX_OPEN_REQUESTS / 2;
    }
    u32 n = log.capacity ? log.capacity * 2 : 16;
    RequestSlot* requests = allocate_array<RequestSlot>(n + 1);
    for (u32 i = 0; i < log.count; i++) requests[i] = log.requests[i];
    requests[log.count].fits = NEVER;
    LaneCursor* lane_at = log.view.lane;
    for (u32 lane = 0; lane < 32; lane++) lane_at[lane].next = requests + (lane_at[lane].next - log.requests);
    log.requests = requests;
    log.capacity = n;
    if (log.searched) enter_requests(log);
    return 0;
}

// The lane's access is the next of its requests, or of a log that is searched, one of that hash; and it is not one
// that keeps its distance. False: its request was counted already, as it stood.
static bool take_part(RequestLog& log, u32 lane, u64 loop_hash, u64 address, u32 size) {
    auto me = [&]() -> LaneCursor& { return log.view.lane[lane]; };  // asked for anew: a log may move them
    u32 bit = 1u << lane;
    if (me().next < log.requests && !log.searched) {
        me().next++;
        return false;
    }
    u32 i = u32(me().next - log.requests);
    if (!log.searched && i != log.count && log.requests[i].loop_hash != loop_hash) begin_search(log);
    if (log.searched && (i >= log.count || log.requests[i].loop_hash != loop_hash || log.requests[i].lanes & bit))
        i = find_request(log, loop_hash, lane);
    bool first = log.searched ? !(log.begun & bit) : !i, fits = size == log.view.width;
    bool alone = i == log.count;
    if (alone) {
        i -= make_room(log);
        push_request(log, loop_hash, address - u64(me().delta));
        if (log.searched) enter_request(log, i);
    }
    RequestSlot& slot = log.requests[i];
    if (first && !alone) {
        i64 delta = i64(address - slot.start);
        if (delta == i32(delta)) move_lane(log, me(), delta);
    }
    if (!slot.odd && !(fits && slot.start + u64(me().delta) == address)) {
        u32 until, others = alone ? 0 : lanes_of(log, i, until);
        slot.odd = take_odd(log) + 1;
        slot.fits = NEVER;
        spell_out(log, slot.start, others, log.odd.items[slot.odd - 1]);
    }
    me().next = log.requests + i + 1;
    slot.lanes |= bit;
    log.begun |= bit;
    if (LIKELY(!slot.odd)) return true;
    WarpRequest& r = log.odd.items[slot.odd - 1];
    r.lanes |= bit;
    r.address[lane] = address;
    r.width = size;
    return true;
}
