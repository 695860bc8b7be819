// Warp operations: lanes that wait for each other in a __syncwarp, a shuffle or a vote.
#pragma once
#include "call_paths.h"
#include "time_slices.h"

static u32 waiting_in_warps;  // threads of the launch that wait in a warp operation
static u32 gathering;         // threads of the launch that ask which lanes are with them

static bool same_function(const Thread& a, const Thread& b) {
    return a.function == b.function || (a.function && b.function && !__builtin_strcmp(a.function, b.function));
}

// Whether it waits in an instruction that has a name.
static bool in_function(const Thread& t) {
    return t.state == State::Warp || t.state == State::Warpgroup || t.state == State::Named;
}

// ---- divergence -------------------------------------------------------------------------------------
// How many threads wait where `t` waits; `call`: see Waiting in protocol.json.
static Waiting waiting_at(u64 count, const Thread& t, const Location* call) {
    return {count, in_function(t) && t.function ? t.function : "", location(t, t.site), call};
}

// Whether they are in one round of each loop, where that is asked.
static bool same_round(const Thread& a, const Thread& b) { return !request.same_rounds || a.loop_hash == b.loop_hash; }

// Whether two threads stand at the same barrier, or in the same call of a warp function.
static bool wait_together(const Thread& a, const Thread& b) {
    return a.state == b.state && (a.state == State::Warp        ? a.site == b.site && same_function(a, b)
                                  : a.state == State::Warpgroup ? at_one_site(a, b) && same_function(a, b)
                                                                : at_one_site(a, b) && same_round(a, b));
}

// A thread that waits, and its block.
struct Waiter {
    const Block* block;
    const Thread* thread;
};

// Each place where some of `all` wait, of whom each stands for as many.
static Vector<Waiting> places_of(const Vector<Waiter>& all, u64 as_many) {
    Vector<Waiter> reported;
    Vector<u64> counts;
    for (u64 i = 0; i < all.count; i++) {
        u64 k = 0;
        while (k < reported.count && !wait_together(*reported.items[k].thread, *all.items[i].thread)) k++;
        if (k == reported.count) {
            reported.push() = all.items[i];
            counts.push() = 0;
        }
        counts.items[k] += as_many;
    }
    Vector<Waiting> places;
    for (u64 k = 0; k < reported.count; k++) {
        const Thread& t = *reported.items[k].thread;
        const Location* call = nullptr;
        block = *reported.items[k].block;  // for its number
        for (u64 i = 0; i < reported.count; i++) {
            const Thread& other = *reported.items[i].thread;
            if (!call && other.state == t.state && t.state != State::Warp) call = parting_call(t, other);
        }
        places.push() = waiting_at(counts.items[k], t, call);
    }
    return places;
}

[[noreturn]] static void stop_divergence(Scope scope, u64 threads, u64 exited, const Vector<Waiting>& places) {
    stop(BarrierDivergence{scope, threads, exited, {places.items, places.count}});
}

// All lanes of a mask wait, and for different functions: none of these will ever be complete.
[[noreturn]] static void stop_in_warp(Thread* base, u32 lanes) {
    Vector<Waiter> all;
    for (u32 l = 0; l < 32; l++)
        if (lanes >> l & 1) all.push() = {&block, base + l};
    stop_divergence(Scope::Warp, all.count, 0, places_of(all, 1));
}

// ---- operations -------------------------------------------------------------------------------------
// Releases every complete group of lanes: all live lanes of the mask wait with that mask, in the same function. It need
// not be the same call: since Volta, PTX asks for the same instruction and the same mask, wherever they stand.
static void complete_warp(u32 warp) {
    if (LIKELY(!waiting_in_warps)) return;
    Thread* base = block.threads + warp * 32;
    u32 live = live_lanes(block, warp), done = 0;
    for (u32 lane = 0; lane < 32; lane++) {
        if (!(live >> lane & 1) || (done >> lane & 1) || base[lane].state != State::Warp) continue;
        u32 wanted = base[lane].mask & live, with_mask = 0, here = 0;
        for (u32 l = 0; l < 32; l++) {
            if (!(wanted >> l & 1) || base[l].state != State::Warp || base[l].mask != base[lane].mask) continue;
            with_mask |= 1u << l;
            if (same_function(base[l], base[lane])) here |= 1u << l;
        }
        if (here != wanted) {
            if (with_mask == wanted) stop_in_warp(base, wanted);
            continue;
        }
        bool exchange = base[lane].function;
        done |= here;
        if (!exchange) Observers::synchronize_warp(warp, here);
        for (u32 l = 0; l < 32; l++) {
            if (!(here >> l & 1)) continue;
            Thread& t = base[l];
            t.state = State::Ready;
            t.met_at = &t == current ? steps_of(t) : t.steps;
            waiting_in_warps--;
            if (!exchange) continue;
            t.exchange.lanes = here;
            t.exchange.self = l;
            for (u32 k = 0; k < 32; k++) t.exchange.value[k] = here >> k & 1 ? base[k].value : 0;
        }
    }
}

// Whether all live lanes of the thread's mask wait; whoever comes last is asked first.
static bool all_wait(const Thread& t) {
    const Thread* base = block.threads + t.warp * 32;
    for (u32 l = 32; l-- > 0;)
        if ((t.mask >> l & 1) && t.warp * 32 + l < block.size && base[l].state != State::Warp &&
            base[l].state != State::Exited)
            return false;
    return true;
}

// True: the thread is to wait for others.
static bool come_to_warp(u32 mask, const char* function, u64 value, const void* site) {
    Thread& t = *current;
    make_step(t, site);
    t.mask = mask;
    if (!(mask >> t.lane & 1)) stop(InvalidWarpMask{mask, t.lane, location(t, site)});
    slice_left > 1 ? void(slice_left--) : void(t.steps++);  // a time slice ends at an access
    if (steps_of(t) > request.max_thread_steps) stop_limit(Limit::Steps, site);
    t.function = function;
    t.value = value;
    Observers::warp_operation(t, function);
    t.state = State::Warp;
    waiting_in_warps++;
    if (all_wait(t)) complete_warp(t.warp);
    return t.state == State::Warp;
}

// ---- __activemask -----------------------------------------------------------------------------------
static void wait_for_active_lanes(const void* site) {
    make_step(*current, site);
    current->state = State::Gather;
    gathering++;
    leave_to_runtime();
}

// Where threads are in step, lanes whose ways since they last met had another length took another branch, and are not
// there: CUDA promises no more.
static bool came_together(const Thread& a, const Thread& b) {
    bool same_way = request.schedule != Schedule::Lockstep || a.steps - a.met_at == b.steps - b.met_at;
    return same_way && at_one_site(a, b);
}

// They wait until no other lane of their warp can come. True: some did.
static bool gather_warp(u32 warp) {
    Thread* base = block.threads + warp * 32;
    u32 live = live_lanes(block, warp), waiting = 0;
    for (u32 l = 0; l < 32; l++) {
        if (!(live >> l & 1)) continue;
        if ((base[l].state == State::Ready && !base[l].watch.spins) || base[l].state == State::Held) return false;
        if (base[l].state == State::Gather) waiting |= 1u << l;
    }
    bool any = waiting != 0;
    while (waiting) {
        u32 first = u32(__builtin_ctz(waiting)), group = 0;
        for (u32 l = first; l < 32; l++)
            if ((waiting >> l & 1) && came_together(base[l], base[first])) group |= 1u << l;
        for (u32 l = first; l < 32; l++)
            if (group >> l & 1) base[l].mask = group, base[l].state = State::Ready, gathering--;
        waiting &= ~group;
    }
    return any;
}
