// Warpgroups: four warps with consecutive numbers, the first a multiple of 4, whose 128 threads make an instruction
// together. Their products go on while the threads do, and are done when these wait for them, which is as late as may be.
#pragma once
#include "warps.h"

constexpr u32 WARPGROUPS = MAX_THREADS / WARPGROUP;  // of a block, at most
constexpr u32 MAX_SUMS = 128, MAX_FACTORS = 4;       // registers of a thread in a product
constexpr u32 NOWHERE = 0xffff;

// A thread in such an instruction, on its own stack while all of its warpgroup wait there.
struct WarpgroupCall {
    u64 same[3];               // what must be the same in all threads
    u32 factors[MAX_FACTORS];  // of a product, if these are registers
    bool begun;                // by the first thread that went on, for all of them
};

// Where a thread keeps what the tensor cores use, in its stack: the sums, and then the first factor.
struct RegisterPlaces {
    u16 of[MAX_SUMS + MAX_FACTORS];
};

// Sums that products add to, one after the other.
struct Sums {
    RegisterPlaces places[WARPGROUP];
    u32 count;       // of a thread
    u32 unfinished;  // products
};

struct Product {
    u64 form, a, b;  // as hooks/warpgroups.h has them
    u32 factors[WARPGROUP][MAX_FACTORS];
    u16 factor_places[WARPGROUP][MAX_FACTORS];
    Sums* sums;
    u32 group;
};

struct Warpgroup {
    Vector<Product*> unfinished, unused;  // in their order
    Vector<Sums*> sums;                   // all that there ever were
    u32 group;
    CopyEngine engine;
};
static Warpgroup* warpgroups;           // by the block's slot
static RegisterPlaces* next_registers;  // by the thread's slot: of its next product

static void prepare_warpgroups() {
    warpgroups = allocate_array<Warpgroup>(request.residents * WARPGROUPS);
    next_registers = allocate_array<RegisterPlaces>(request.residents * block.size);
}

static Warpgroup& warpgroup_of(const Thread& t) { return warpgroups[block.slot * WARPGROUPS + t.linear / WARPGROUP]; }
static Thread* threads_of_warpgroup(const Thread& t) { return block.threads + t.linear / WARPGROUP * WARPGROUP; }

static void finish_oldest(Warpgroup& w) {
    w.unfinished.items[0]->sums->unfinished--;
    w.unused.push() = w.unfinished.items[0];
    for (u64 i = 1; i < w.unfinished.count; i++) w.unfinished.items[i - 1] = w.unfinished.items[i];
    w.unfinished.count--;
}

static void drop_products() {
    for (u32 i = 0; i < WARPGROUPS; i++)
        for (Warpgroup& w = warpgroups[block.slot * WARPGROUPS + i]; w.unfinished.count;) finish_oldest(w);
}

// True: this thread is the first to go on, and acts for all of them: `calls`.
static bool meet_warpgroup(WarpgroupCall& call, WarpgroupCall** calls, const char* function, const void* site) {
    Thread& t = *current;
    Thread* all = threads_of_warpgroup(t);
    if (all + WARPGROUP > block.threads + block.size) stop_crash("warpgroup size", site);
    make_step(t, site);
    slice_left > 1 ? void(slice_left--) : void(t.steps++);
    if (steps_of(t) > request.max_thread_steps) stop_limit(Limit::Steps, site);
    t.function = function;
    t.value = (u64)&call;
    t.state = State::Warpgroup;
    call.begun = false;
    u32 here = 0;
    while (here < WARPGROUP && all[WARPGROUP - 1 - here].state == State::Warpgroup) here++;
    if (here < WARPGROUP) yield_to_runtime();
    else
        for (u32 i = 0; i < WARPGROUP; i++) all[i].state = State::Ready;
    if (call.begun) return false;
    bool together = true;
    for (u32 i = 0; i < WARPGROUP; i++) {
        together &= at_one_site(all[i], all[0]) && same_function(all[i], all[0]);
        calls[i] = (WarpgroupCall*)all[i].value;
    }
    if (!together) {
        Vector<Waiter> waiters;
        for (u32 i = 0; i < WARPGROUP; i++) all[i].state = State::Warpgroup, waiters.push() = {&block, all + i};
        stop_divergence(Scope::Block, WARPGROUP, 0, places_of(waiters, 1));
    }
    for (u32 i = 0; i < WARPGROUP; i++) {
        if (__builtin_memcmp(calls[i]->same, calls[0]->same, sizeof call.same)) stop_crash("warpgroup arguments", site);
        calls[i]->begun = true;
    }
    return true;
}
