// What one warp does at one instruction: its requests since the last barrier.
//
// Mostly each lane of a warp comes to the same places in the same order: then a lane has a part in as many of the
// log's requests as it has made, and its next request is the log's next one. Where that once fails, the log is
// `searched` by place until the next barrier.
//
// In nearly every loop the lanes keep their distances: lane 5 is always 20 bytes behind lane 0. So a
// log keeps a distance for each lane, and of each request only where it starts; a request that does not
// fit keeps the address of every lane. The distances are kept over barriers, since what comes next is mostly
// the same loop again.
//
// What goes on so need not leave the kernel's own code, which compares a place and an address and knows nothing of
// arrays. So a request is shown to it only while every lane, at its distance, is within the array there.
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
    u64 constant_loads, shuffles, votes, compare_and_swaps;
} counts;

// What the requests of one instruction cost, in one kind of memory, over the whole launch.
static SiteTraffic* site_traffic;  // by id

static Running running;
static Meeting nowhere = {0, NEVER, 0, 0, 0};  // the next one of whom nothing is known

// What one warp does at one instruction since the last barrier.
struct SiteLog {
    Meeting* requests;  // and one behind the last, that nothing fits
    u32 count, capacity;
    u32 width;
    u32 site, id;
    Space space;
    Action action;
    bool touched;
    bool searched;              // `slots` holds the requests by place
    bool left_behind;           // a lane has made fewer than are settled: its `next` is below the first
    bool mixed;                 // the instruction goes to several arrays
    Recent* recent;             // the one that refers here, if any
    int64_t nearest, farthest;  // the lanes' distances are no less, and no more
    int64_t first, last;        // of the requests that are shown, where they start
    u32* slots;                 // number + 1 of a request; 0: free
    u32 slot_count;             // a power of two, at least twice `capacity`
    u32 begun;                  // of a searched log: the lanes that made a request
    List<WarpRequest> odd;
    u32 free_odd;    // number + 1 of one that is free; the next such is its first address
    LaneTurn* lane;  // `own`, or those that the kernel's own code sees
    LaneTurn own[32];
    // What a request cost, by where it starts: mostly the next ones cost the same.
    u32 known, known_lanes;  // of which starts; and who took part
    Cost cost_at[32];
    u64 uses[32];  // by lane, that were counted in this block: see busiest.h
};
static u64 made;  // accesses that were counted since the last barrier
constexpr u32 OPEN_LIMIT = 1 << 15;

static Traffic& traffic(Space space, Action action) {
    return (space == Space::Shared ? counts.shared : counts.global)[u32(action)];
}

// Who has a part in request `i`, and, up to `until`, in those behind it.
static u32 lanes_of(const SiteLog& log, u32 i, u32& until) {
    until = i + 1;
    if (log.searched) return log.requests[i].lanes;
    // Mostly all of them have made all.
    u64 left = 0;
    for (u32 lane = 0; lane < 32; lane++) left |= u64(log.lane[lane].next) ^ u64(log.requests + log.count);
    until = log.count;
    if (!left) return ~0u;
    u32 lanes = 0;
    for (u32 lane = 0; lane < 32; lane++) {
        int64_t next = log.lane[lane].next - log.requests;
        if (next <= int64_t(i)) continue;
        lanes |= 1u << lane;
        if (u64(next) < until) until = u32(next);
    }
    return lanes;
}

static void spell_out(const SiteLog& log, u64 start, u32 lanes, WarpRequest& r) {
    r.lanes = lanes;
    r.width = log.width;
    for (u32 lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1) r.address[lane] = start + u64(int64_t(log.lane[lane].delta));
}

static u32 take_odd(SiteLog& log) {
    u32 number = log.free_odd ? log.free_odd - 1 : u32(log.odd.count);
    if (log.free_odd) log.free_odd = u32(log.odd.items[number].address[0]);
    else log.odd.push();
    return number;
}

// ---- what the kernel's own code sees of a log ---------------------------------------------------
static bool is_within(const SiteLog& log, int64_t address) {
    u64 offset = u64(address) - log.recent->start;
    return offset < log.recent->span && !(offset & (log.width - 1));
}

static void measure(SiteLog& log) {
    log.nearest = INT32_MAX, log.farthest = INT32_MIN;
    for (u32 lane = 0; lane < 32; lane++) {
        int64_t delta = log.lane[lane].delta;
        if (delta < log.nearest) log.nearest = delta;
        if (delta > log.farthest) log.farthest = delta;
    }
}

static bool all_within(const SiteLog& log, int64_t start) {
    return is_within(log, start + log.nearest) && is_within(log, start + log.farthest);
}

// Shows a request, if every lane is within the array there. (Arrays and distances are of whole elements, or the address
// of an access would not be; so if one lane is aligned, each is.)
static void show(SiteLog& log, Meeting& m) {
    m.fits = NEVER;
    if (!log.recent || m.odd) return;
    int64_t start = int64_t(m.start);
    if (!all_within(log, start)) {
        measure(log);  // some lane had been farther away
        if (!all_within(log, start)) return;
    }
    m.fits = m.start;
    if (start < log.first) log.first = start;
    if (start > log.last) log.last = start;
}

static void show_none(SiteLog& log) { log.first = INT64_MAX, log.last = INT64_MIN; }

// A lane's distance is another one from now on; what is not within the array there is shown no more.
static void move_lane(SiteLog& log, LaneTurn& me, int64_t delta) {
    me.delta = delta;
    log.known = 0;
    if (!log.recent) return;
    if (delta < log.nearest) log.nearest = delta;
    if (delta > log.farthest) log.farthest = delta;
    if (log.first > log.last || (is_within(log, log.first + delta) && is_within(log, log.last + delta))) return;
    show_none(log);
    for (u32 i = 0; i < log.count; i++)
        if (log.requests[i].fits != NEVER) show(log, log.requests[i]);
}

// Keeps the lanes' turns where the kernel's own code finds them, as those of `r`.
static void share_turns(SiteLog& log, Recent& r, LaneTurn* turns) {
    for (u32 lane = 0; lane < 32; lane++) turns[lane] = log.lane[lane];
    log.lane = turns;
    log.recent = &r;
    measure(log);
    show_none(log);
    for (u32 i = 0; i < log.count; i++) show(log, log.requests[i]);
}

static void forget_recent(SiteLog& log) {
    if (!log.recent) return;
    for (u32 lane = 0; lane < 32; lane++) {
        log.own[lane] = log.lane[lane];
        log.lane[lane] = {&nowhere, 0};
    }
    log.lane = log.own;
    log.recent->span = 0;
    log.recent->log = nullptr;
    log.recent = nullptr;
}

// ---- a log by place -------------------------------------------------------------------------------

static u32 first_slot(const SiteLog& log, u64 place) {
    return u32(place * 0x9e3779b97f4a7c15 >> 32) & (log.slot_count - 1);
}

static void fill_slot(SiteLog& log, u32 i) {
    u32 slot = first_slot(log, log.requests[i].place);
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
}

// The lanes do not come to the same places in the same order.
static void begin_search(SiteLog& log) {
    for (u32 i = 0, until = 0; i < log.count;)
        for (u32 lanes = lanes_of(log, i, until); i < until; i++) log.requests[i].lanes = lanes;
    log.begun = 0;
    for (u32 lane = 0; lane < 32; lane++) log.begun |= u32(log.lane[lane].next != log.requests) << lane;
    log.searched = true;
    fill_slots(log);
    forget_recent(log);
}

// The request that a lane takes part in at this place; `count` if it is a new one. A lane that comes to a
// place a second time, in ways that are not a loop's, makes a second request.
static u32 find_request(const SiteLog& log, u64 place, u32 lane) {
    for (u32 slot = first_slot(log, place); log.slots[slot]; slot = (slot + 1) & (log.slot_count - 1)) {
        const Meeting& m = log.requests[log.slots[slot] - 1];
        if (m.place == place && !(m.lanes >> lane & 1)) return log.slots[slot] - 1;
    }
    return log.count;
}

static void add_cost(Traffic& sum, Cost cost) {
    sum.units += cost.units;
    sum.conflicts += cost.conflicts;
}

static void add_uses(SiteLog& log, u32 lanes, u64 requests) {
    if (LIKELY(lanes == ~0u)) {
        for (u64& uses : log.uses) uses += requests;
        return;
    }
    for (; lanes; lanes &= lanes - 1) log.uses[__builtin_ctz(lanes)] += requests;
}

// Counts the `n` oldest requests of a log.
static void count_requests(SiteLog& log, u32 n) {
    // Moving all lanes by whole words turns the banks, by whole sectors the sectors: the same cost.
    u32 period = log.space == Space::Shared ? 4 : 32;
    u64 accesses = 0;
    Traffic& sum = traffic(log.space, log.action);
    const Traffic before = sum;
    for (u32 i = 0, until = 0; i < n;) {
        u32 lanes = lanes_of(log, i, until);
        if (until > n) until = n;
        accesses += u64(until - i) * u32(__builtin_popcount(lanes));
        add_uses(log, lanes, until - i);
        if (lanes != log.known_lanes) log.known_lanes = lanes, log.known = 0;
        for (; i < until; i++) {
            const Meeting& m = log.requests[i];
            if (UNLIKELY(m.odd)) {
                WarpRequest& r = log.odd.items[m.odd - 1];
                add_cost(sum, cost_of(r, log.space, log.action));
                r.address[0] = log.free_odd;
                log.free_odd = m.odd;
                continue;
            }
            u32 phase = u32(m.start % period);
            if (!(log.known >> phase & 1)) {
                WarpRequest r;
                spell_out(log, m.start, lanes, r);
                log.cost_at[phase] = cost_of(r, log.space, log.action);
                log.known |= 1u << phase;
            }
            add_cost(sum, log.cost_at[phase]);
        }
    }
    sum.accesses += accesses;
    made += accesses;
    sum.requests += n;
    SiteTraffic& here = site_traffic[log.id];
    here.requests += n;
    here.units += sum.units - before.units;
    here.conflicts += sum.conflicts - before.conflicts;
}

// Counts them, and forgets them.
static void settle_requests(SiteLog& log, u32 n) {
    count_requests(log, n);
    for (u32 i = n; i < log.count; i++) log.requests[i - n] = log.requests[i];
    log.count -= n;
    log.requests[log.count].fits = NEVER;
    for (u32 lane = 0; lane < 32; lane++) log.lane[lane].next -= n;
    if (log.searched) fill_slots(log);
}

// The same of all of them: a new barrier interval begins.
static void settle_log(SiteLog& log) {
    count_requests(log, log.count);
    log.count = log.free_odd = 0;
    log.odd.count = 0;
    if (log.requests) log.requests->fits = NEVER;
    for (u32 lane = 0; lane < 32; lane++) log.lane[lane].next = log.requests;
    show_none(log);
    log.touched = log.searched = log.left_behind = log.mixed = false;
}

static ALWAYS_INLINE void push_request(SiteLog& log, u64 place, u64 start) {
    Meeting& m = log.requests[log.count++];
    m = {place, NEVER, start, 0, 0};
    log.requests[log.count].fits = NEVER;
    show(log, m);
}

// So that one more request can be pushed. Returns by how much the others' numbers are less than before.
static u32 make_room(SiteLog& log) {
    if (log.count < log.capacity) return 0;
    if (log.count == OPEN_LIMIT) {
        // One lane is far ahead of the others: what is oldest is counted as it stands.
        forget_recent(log);
        log.left_behind = true;
        settle_requests(log, OPEN_LIMIT / 2);
        return OPEN_LIMIT / 2;
    }
    u32 n = log.capacity ? log.capacity * 2 : 16;
    Meeting* requests = allocate_array<Meeting>(n + 1);
    for (u32 i = 0; i < log.count; i++) requests[i] = log.requests[i];
    requests[log.count].fits = NEVER;
    for (u32 lane = 0; lane < 32; lane++) log.lane[lane].next = requests + (log.lane[lane].next - log.requests);
    log.requests = requests;
    log.capacity = n;
    if (log.searched) fill_slots(log);
    return 0;
}
