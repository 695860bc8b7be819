// Warp operations: lanes that wait for each other in a __syncwarp, a shuffle or a vote.
#pragma once
#include "turns.h"

static u32 live_lanes(u32 warp) {
    u32 lanes = 0;
    for (u32 lane = 0; lane < 32 && warp * 32 + lane < block.size; lane++)
        if (block.threads[warp * 32 + lane].state != State::Exited) lanes |= 1u << lane;
    return lanes;
}

static u32 waiting_in_warps;  // threads of the launch that wait in a warp operation

// Lets go every group of lanes that is complete: all live lanes of the mask wait with that mask.
static void complete_warp(u32 warp) {
    if (LIKELY(!waiting_in_warps)) return;
    Thread* base = block.threads + warp * 32;
    u32 live = live_lanes(warp), done = 0;
    for (u32 lane = 0; lane < 32; lane++) {
        if (!(live >> lane & 1) || (done >> lane & 1) || base[lane].state != State::Warp) continue;
        u32 wanted = base[lane].mask & live, here = 0;
        bool exchange = base[lane].in_exchange;
        for (u32 l = 0; l < 32; l++)
            if ((wanted >> l & 1) && base[l].state == State::Warp && base[l].mask == base[lane].mask && base[l].in_exchange == exchange) here |= 1u << l;
        if (here != wanted) continue;
        done |= here;
        if (!exchange) order_warp(block, warp, here);
        for (u32 l = 0; l < 32; l++) {
            if (!(here >> l & 1)) continue;
            Thread& t = base[l];
            t.state = State::Ready;
            waiting_in_warps--;
            if (!exchange) continue;
            t.exchange.lanes = here;
            t.exchange.self = l;
            for (u32 k = 0; k < 32; k++) t.exchange.value[k] = here >> k & 1 ? base[k].value : 0;
        }
    }
}

static void wait_in_warp(u32 mask, bool exchange, u64 value, const void* site) {
    Thread& t = *current;
    t.site = site;
    t.mask = mask;
    if (!(mask >> t.lane & 1)) {
        put("{\"kind\":\"InvalidWarpMask\",\"mask\":%u,\"lane\":%u,\"accesses\":[", mask, t.lane);
        put_thread(t, site);
        put("]}");
        finish();
    }
    turn_left > 1 ? void(turn_left--) : void(t.steps++);  // a turn ends at an access
    if (steps_of(t) > request.max_thread_steps) stop_reason("StepLimit", "steps", site);
    t.in_exchange = exchange;
    t.value = value;
    t.state = State::Warp;
    waiting_in_warps++;
    complete_warp(t.warp);
    if (t.state == State::Warp) yield_to_runtime();
}

