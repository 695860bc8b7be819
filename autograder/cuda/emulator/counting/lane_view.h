// How the lanes of a warp stand at one instruction, and what of its requests the kernel's own code sees.
//
// In nearly every loop the lanes keep their distances: lane 5 is always 20 bytes after lane 0. So a distance is kept
// for each lane, over barriers, since what comes next is mostly the same loop again.
//
// What goes on so need not leave the kernel's own code, which compares a hash and an address and knows nothing of
// arrays. So a request is shown to it only while every lane, at its distance, is within the array there.
#pragma once
#include "launch/launch.h"

struct LaneView {
    LaneCursor* lane;       // `lanes`, or those that the kernel's own code sees
    CachedAccess* cache;    // the one that refers here; null: nothing is shown
    u32 width;              // of an access
    bool mixed;             // the instruction goes to several arrays in this barrier interval
    i64 nearest, farthest;  // the lanes' distances are no less, and no more
    i64 first, last;        // where the first and the last of the shown requests start
    LaneCursor lanes[32];
};

static bool is_within(const LaneView& v, i64 address) {
    u64 offset = u64(address) - v.cache->start;
    return offset < v.cache->span && !(offset & (v.width - 1));
}

static void measure(LaneView& v) {
    v.nearest = 0x7fffffff, v.farthest = -0x80000000ll;
    for (u32 lane = 0; lane < 32; lane++) {
        i64 delta = v.lane[lane].delta;
        if (delta < v.nearest) v.nearest = delta;
        if (delta > v.farthest) v.farthest = delta;
    }
}

static bool all_within(const LaneView& v, i64 start) {
    return is_within(v, start + v.nearest) && is_within(v, start + v.farthest);
}

// Shows a request, if every lane is within the array there. (Arrays and distances are of whole elements, or the address
// of an access would not be; so if one lane is aligned, each is.)
static void show(LaneView& v, RequestSlot& r) {
    r.fits = NEVER;
    if (!v.cache || r.odd) return;
    i64 start = i64(r.start);
    if (!all_within(v, start)) {
        measure(v);  // some lane had been farther away
        if (!all_within(v, start)) return;
    }
    r.fits = r.start;
    if (start < v.first) v.first = start;
    if (start > v.last) v.last = start;
}

static void show_none(LaneView& v) { v.first = i64(~0ull >> 1), v.last = ~v.first; }

// From now on the lane has another distance; requests that it would take outside the array are no longer shown.
static void move_lane(LaneView& v, LaneCursor& me, i64 delta, RequestSlot* requests, u32 count) {
    me.delta = delta;
    if (!v.cache) return;
    if (delta < v.nearest) v.nearest = delta;
    if (delta > v.farthest) v.farthest = delta;
    if (v.first > v.last || (is_within(v, v.first + delta) && is_within(v, v.last + delta))) return;
    show_none(v);
    for (u32 i = 0; i < count; i++)
        if (requests[i].fits != NEVER) show(v, requests[i]);
}

// From now on the kernel's own code sees nothing of it.
static void hide(LaneView& v) {
    if (!v.cache) return;
    for (u32 lane = 0; lane < 32; lane++) {
        v.lanes[lane] = v.lane[lane];
        v.lane[lane] = {&nowhere, 0};
    }
    v.lane = v.lanes;
    v.cache->span = 0;
    v.cache->log = nullptr;
    v.cache = nullptr;
}
