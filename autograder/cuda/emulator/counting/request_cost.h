// What one request of a warp costs, by the rules of an NVIDIA H200, found by measuring.
#pragma once
#include "protocol.h"
#include "types.h"

struct WarpRequest {  // one that keeps every lane's address
    u64 address[32];
    u32 lanes;
    u32 width;
};
struct Cost {
    u32 units;      // of global memory sectors of 32 bytes, of shared memory wavefronts: passes over the banks
    u32 conflicts;  // the passes beyond those that its width takes at best
    u32 as_store;   // of an atomic: the units of a store to the same places
    u32 at_best;    // the units that it takes at best; no more than it takes, so that it pays for no other request
};
constexpr u32 BANKS = 32;

static bool has_lane(const WarpRequest& r, u32 lane) { return r.lanes >> lane & 1; }
static u32 words_of(const WarpRequest& r) { return r.width > 4 ? r.width / 4 : 1; }

static u32 count_sectors(const WarpRequest& r) {
    u64 seen[32];
    u32 n = 0;
    for (u32 lane = 0; lane < 32; lane++) {
        if (!has_lane(r, lane)) continue;
        // A piece of an unaligned copy is never wider than its alignment: it lies in one sector.
        u64 sector = r.address[lane] / 32;
        u32 i = n;
        while (i > 0 && seen[i - 1] != sector) i--;
        if (!i) seen[n++] = sector;
    }
    return n;
}

// Atomics: a sector goes through once for each lane of the address in it that most lanes want.
static u32 count_atomic_sectors(const WarpRequest& r) {
    u64 seen[32];
    u32 wanted[32], n = 0, passes = 0;
    for (u32 lane = 0; lane < 32; lane++) {
        if (!has_lane(r, lane)) continue;
        u32 i = n;
        while (i > 0 && seen[i - 1] != r.address[lane]) i--;
        if (i) wanted[i - 1]++;
        else seen[n] = r.address[lane], wanted[n++] = 1;
    }
    for (u32 i = 0; i < n; i++) {
        u32 most = 0;
        bool first = true;
        for (u32 k = 0; k < n; k++) {
            if (seen[k] / 32 != seen[i] / 32) continue;
            if (k < i) first = false;
            if (wanted[k] > most) most = wanted[k];
        }
        if (first) passes += most;
    }
    return passes;
}

// The most words that these lanes want of one bank. A word goes to all that want it at once.
static u32 deepest_bank(const WarpRequest& r, u32 lanes) {
    u64 word_of[BANKS][32];
    u8 used[BANKS] = {};
    u32 most = 0;
    for (u32 lane = 0; lane < 32; lane++) {
        if (!(lanes >> lane & 1)) continue;
        for (u32 k = 0; k < words_of(r); k++) {
            u64 word = r.address[lane] / 4 + k;
            u32 bank = word % BANKS, i = 0;
            while (i < used[bank] && word_of[bank][i] != word) i++;
            if (i == used[bank]) word_of[bank][used[bank]++] = word;
            if (used[bank] > most) most = used[bank];
        }
    }
    return most;
}

// Whether all lanes that are `distance` apart want the same, or one of the two nothing.
static bool pairs_agree(const WarpRequest& r, u32 distance) {
    for (u32 lane = 0; lane < 32; lane++)
        if (has_lane(r, lane) && has_lane(r, lane ^ distance) && r.address[lane] != r.address[lane ^ distance])
            return false;
    return true;
}

// Accesses of 8 and 16 bytes go in halves and quarters of the warp. Two of these parts become one in a
// load, where neighbors, or neighbors of neighbors, agree in the whole warp.
static Cost count_wavefronts(const WarpRequest& r, bool load) {
    u32 words = words_of(r), part = 32 / words;
    if (load && words > 1 && (pairs_agree(r, 1) || pairs_agree(r, 2))) part *= 2;
    u64 low = ~0ull, high = 0;
    for (u32 lane = 0; lane < 32; lane++) {
        if (!has_lane(r, lane)) continue;
        u64 word = r.address[lane] / 4;
        if (word < low) low = word;
        if (word + words - 1 > high) high = word + words - 1;
    }
    bool spread = high - low < BANKS;  // at most one word a bank: by far the commonest
    Cost cost = {};
    for (u32 start = 0; start < 32; start += part) {
        u32 lanes = r.lanes & ~0u >> (32 - part) << start;
        if (!lanes) continue;
        u32 passes = spread ? 1 : deepest_bank(r, lanes);
        cost.units += passes;
        cost.conflicts += passes - 1;
    }
    return cost;
}

// Atomics: lanes take turns at a bank, also those that want the same word.
static u32 count_atomic_wavefronts(const WarpRequest& r) {
    u32 lanes_at[BANKS] = {}, most = 0;
    for (u32 lane = 0; lane < 32; lane++) {
        if (!has_lane(r, lane)) continue;
        for (u32 k = 0; k < words_of(r); k++) {
            u32& lanes = lanes_at[(r.address[lane] / 4 + k) % BANKS];
            if (++lanes > most) most = lanes;
        }
    }
    return most;
}

// What an access takes at best where all lanes of a warp make it together, to neighboring places that may begin anywhere.
static u32 cost_at_best(u32 width, Space space) {
    if (space == Space::Shared) return width > 4 ? width / 4 : 1;
    return width + 1;
}

static Cost cost_of(const WarpRequest& r, Space space, Action action) {
    bool shared = space == Space::Shared;
    Cost cost = shared ? count_wavefronts(r, action == Action::Read) : Cost{count_sectors(r), 0, 0, 0};
    u32 best = cost_at_best(r.width, space), lanes = u32(__builtin_popcount(r.lanes));
    if (lanes < best) best = lanes;
    cost.at_best = best < cost.units ? best : cost.units;
    if (action == Action::Atomic) {
        cost.as_store = cost.units;
        cost.units = shared ? count_atomic_wavefronts(r) : count_atomic_sectors(r);
    }
    return cost;
}
