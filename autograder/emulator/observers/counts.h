// Memory traffic, per thread and per warp. A warp's threads run one after the other here, so the
// lanes of one request are brought together by (instruction, how often this lane has executed it
// since the last barrier). Where lanes loop different numbers of times this is approximate.
#pragma once
#include "../core.h"

enum { COUNT_READ = 0, COUNT_WRITE = 1 };
static struct {
    u64 global[2], shared[2], atomics, global_atomics, barriers;
    u64 global_requests[2], global_sectors[2], shared_requests[2], shared_conflicts[2];
} counts;

struct WarpRequest {
    u64 address[32];
    u32 lanes;
    u32 width;
};
// What one warp does at one instruction since the last barrier.
struct SiteLog {
    u32 executed[32];  // by each lane
    u32 settled;       // requests already counted and dropped from the front of `open`
    Space space;
    u32 direction;
    WarpRequest* open;
    u32 count, capacity;
};
static u16* site_ids;        // by offset in the module's image and direction (a struct's copy does both): id + 1
static u32 site_id_count;
static SiteLog*** site_logs;  // [warp][site id], tables of SITE_LIMIT pointers
constexpr u32 SITE_LIMIT = 4096, OPEN_LIMIT = 1 << 16;

static u32 count_sectors(const WarpRequest& r) {
    u64 seen[32];
    u32 n = 0;
    for (u32 lane = 0; lane < 32; lane++) {
        if (!(r.lanes >> lane & 1)) continue;
        u64 sector = r.address[lane] / 32;
        u32 i = n;
        while (i > 0 && seen[i - 1] != sector) i--;
        if (!i) seen[n++] = sector;
    }
    return n;
}

// Extra passes over the banks: lanes that need different words of one bank take turns. Accesses of 8
// and 16 bytes go in halves and quarters of the warp, each its own pass.
static u32 count_conflicts(const WarpRequest& r) {
    u32 words = r.width > 4 ? r.width / 4 : 1, group = 32 / words, conflicts = 0;
    u64 low = ~0ull, high = 0;
    for (u32 lane = 0; lane < 32; lane++) {
        if (!(r.lanes >> lane & 1)) continue;
        u64 word = r.address[lane] / 4;
        if (word < low) low = word;
        if (word + words - 1 > high) high = word + words - 1;
    }
    if (high - low < 32) return 0;  // at most one word a bank: by far the commonest
    for (u32 start = 0; start < 32; start += group) {
        u64 word_of[32][32];
        u8 used[32] = {};
        u32 most = 0;
        for (u32 lane = start; lane < start + group; lane++) {
            if (!(r.lanes >> lane & 1)) continue;
            for (u32 k = 0; k < words; k++) {
                u64 word = r.address[lane] / 4 + k;
                u32 bank = word % 32, i = 0;
                while (i < used[bank] && word_of[bank][i] != word) i++;
                if (i == used[bank]) word_of[bank][used[bank]++] = word;
                if (used[bank] > most) most = used[bank];
            }
        }
        if (most > 1) conflicts += most - 1;
    }
    return conflicts;
}

static void settle_requests(SiteLog& log, u32 upto) {
    u32 n = upto - log.settled;
    for (u32 i = 0; i < n; i++) {
        if (log.space == Space::Shared) {
            counts.shared_requests[log.direction]++;
            counts.shared_conflicts[log.direction] += count_conflicts(log.open[i]);
        } else {
            counts.global_requests[log.direction]++;
            counts.global_sectors[log.direction] += count_sectors(log.open[i]);
        }
    }
    for (u32 i = n; i < log.count; i++) log.open[i - n] = log.open[i];
    log.count -= n;
    log.settled = upto;
}

static void counts_flush_warp(u32 warp) {
    for (u32 id = 0; id < site_id_count; id++) {
        SiteLog* log = site_logs[warp][id];
        if (!log || (!log->count && !log->settled)) continue;
        settle_requests(*log, log->settled + log->count);
        log->settled = 0;
        for (u32& n : log->executed) n = 0;
    }
}

static void counts_flush() {
    for (u32 warp = 0; warp < block.warps; warp++) counts_flush_warp(warp);
}

static void counts_prepare(u32 warps) {
    site_ids = allocate_array<u16>(2 * request.module_image + 2);
    site_logs = allocate_array<SiteLog**>(warps);
    for (u32 w = 0; w < warps; w++) site_logs[w] = allocate_array<SiteLog*>(SITE_LIMIT);
}

static ALWAYS_INLINE void counts_access(Thread& t, const Where& w, u64 address, u32 size, Action action, u32 site) {
    if (action == Action::Atomic) {
        counts.atomics++;
        counts.global_atomics += w.variable->space != Space::Shared;
        return;
    }
    u32 direction = action == Action::Write;
    Space space = w.variable->space == Space::Shared ? Space::Shared : Space::Global;
    (space == Space::Shared ? counts.shared : counts.global)[direction]++;
    if (UNLIKELY(site > request.module_image)) return;
    u16& id = site_ids[2 * site + direction];
    if (UNLIKELY(!id)) {
        if (site_id_count == SITE_LIMIT) return;
        id = u16(++site_id_count);
    }
    SiteLog*& log = site_logs[t.warp][id - 1];
    if (UNLIKELY(!log)) log = (SiteLog*)allocate(sizeof(SiteLog));
    u32 turn = log->executed[t.lane]++;
    if (UNLIKELY(turn < log->settled)) return;  // settled early: see below
    turn -= log->settled;
    if (turn == log->count) {
        if (UNLIKELY(log->count == log->capacity)) {
            if (log->count == OPEN_LIMIT) {
                // One lane is far ahead of the others: what is oldest is counted as it stands.
                settle_requests(*log, log->settled + OPEN_LIMIT / 2);
                turn -= OPEN_LIMIT / 2;
            } else {
                u32 n = log->capacity ? log->capacity * 2 : 16;
                WarpRequest* more = allocate_array<WarpRequest>(n);
                for (u32 i = 0; i < log->count; i++) more[i] = log->open[i];
                log->open = more;
                log->capacity = n;
            }
        }
        log->open[log->count++].lanes = 0;
        log->space = space;
        log->direction = direction;
    }
    WarpRequest& r = log->open[turn];
    r.lanes |= 1u << t.lane;
    r.width = size;
    r.address[t.lane] = address;
}

// Called when the lanes of a warp have all had a turn: requests that each lane has passed are done.
static void counts_trim(u32 warp, u32 live_lanes) {
    for (u32 id = 0; id < site_id_count; id++) {
        SiteLog* log = site_logs[warp][id];
        if (!log || log->count < 1024) continue;
        u32 least = ~0u;
        for (u32 lane = 0; lane < 32; lane++)
            if ((live_lanes >> lane & 1) && log->executed[lane] < least) least = log->executed[lane];
        if (least != ~0u && least > log->settled) settle_requests(*log, least < log->settled + log->count ? least : log->settled + log->count);
    }
}
