// What the accesses of a warp would cost at best: if its lanes made them together, to neighboring places.
#pragma once
#include "request_cost.h"

constexpr u32 WIDTHS = 6;  // of accesses: 1 byte, 2, and so on

// If turns take `each` units, but no more than lanes that have one: a unit for each of the `each` busiest lanes.
static u64 of_busiest(u32 each, const u64 (&turns_of)[32]) {
    u64 left[32], sum = 0;
    __builtin_memcpy(left, turns_of, sizeof left);
    for (u32 n = each < 32 ? each : 32; n; n--) {
        u32 busiest = 0;
        for (u32 lane = 1; lane < 32; lane++)
            if (left[lane] > left[busiest]) busiest = lane;
        if (!left[busiest]) break;
        sum += left[busiest];
        left[busiest] = 0;
    }
    return sum;
}

// What the accesses of a warp's lanes, by width, take at best: the first of each lane together, then the second of
// each, and so on, but never more units than lanes that make one more. The lanes come together width by width, or
// each begins with its widest: the first alone would let lanes that differ in width count as apart, and the second
// would let one lane's wide accesses widen those of all others. At most, it is what instructions take by themselves.
static u64 at_best_together(const u64 (&of_lane)[WIDTHS][32], const u64 (&of_sites)[WIDTHS], Space space) {
    u64 so_far[32] = {}, all[32] = {}, by_width = 0, by_turn = 0, turns = 0;
    for (const auto& of_width : of_lane)
        for (u32 lane = 0; lane < 32; lane++) all[lane] += of_width[lane];
    for (u32 width = WIDTHS; width-- > 0;) {
        if (!of_sites[width]) continue;
        u32 each = cost_at_best(1u << width, space);
        u64 together = of_busiest(each, of_lane[width]);
        by_width += together < of_sites[width] ? together : of_sites[width];
        u64 until = turns, in_these[32];
        for (u32 lane = 0; lane < 32; lane++) {
            so_far[lane] += of_lane[width][lane];
            if (so_far[lane] > until) until = so_far[lane];
        }
        for (u32 lane = 0; lane < 32; lane++)
            in_these[lane] = all[lane] <= turns ? 0 : (all[lane] < until ? all[lane] : until) - turns;
        by_turn += of_busiest(each, in_these);
        turns = until;
    }
    return by_width < by_turn ? by_width : by_turn;
}
