// A schedule constraint: one thread is held back before one of its accesses until another thread has made one of its
// own. So the order of two accesses is reversed, and as little else as can be.
#pragma once
#include "time_slices.h"

static Thread* held;             // null: nobody yet, or nobody any more
static bool constraint_is_over;  // the other access was made, or the thread was let go without it
static Thread* let_go;           // the other access was made just now: goes on at once, and then who made it

static bool is_here(const Thread* t) { return t >= block.threads && t < block.threads + block.size; }
static bool held_here() { return held && is_here(held); }

static bool held_for_another_block() { return request.awaited.block != request.delayed.block; }

// Also where nothing else can go on: then something orders the two accesses after all.
static void release_held() {
    if (held) held->state = State::Ready;
    held = nullptr;
    constraint_is_over = true;
}

static ALWAYS_INLINE bool is_access(const ThreadAccess& a, const Thread& t, u32 access) {
    return a.access == access && a.thread == t.linear && a.block == block.linear;
}

static ALWAYS_INLINE void constrain_access(Thread& t, const void* site) {
    u32 access = t.accesses++;
    if (LIKELY(!request.constrained) || constraint_is_over) return;
    if (is_access(request.awaited, t, access)) {
        let_go = held;
        release_held();
        cut_slice();
        return;
    }
    if (!is_access(request.delayed, t, access)) return;
    t.site = site;
    t.state = State::Held;
    held = &t;
    yield_to_runtime();
}
