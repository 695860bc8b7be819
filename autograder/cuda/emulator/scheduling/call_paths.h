// Through which calls a thread has come to where it waits, by the sites of those that may differ: what
// cuda/compiler/passes/call_paths.py marks. Where threads must meet at one instruction, they must have come the same way: a
// compiler may put a function into each place that calls it, and then its instruction is several.
#pragma once
#include "launch/stop.h"

static bool any_calls;  // of that kind, in this launch

static void begin_call(Thread& t, const void* site) {
    any_calls = true;
    t.calls.push() = site_of(site);
}
static void end_call(Thread& t) {
    if (t.calls.count) t.calls.count--;
}

static ALWAYS_INLINE bool same_calls(const Thread& a, const Thread& b) {
    if (LIKELY(!any_calls)) return true;
    return a.calls.count == b.calls.count &&
           !__builtin_memcmp(a.calls.items, b.calls.items, a.calls.count * sizeof(u32));
}

static ALWAYS_INLINE bool at_one_site(const Thread& a, const Thread& b) { return a.site == b.site && same_calls(a, b); }

// The call of `t` at which its way parts from that of another thread at the same site; null: it does not.
static const Location* parting_call(const Thread& t, const Thread& other) {
    u64 n = 0, mine = t.calls.count;
    if (t.site != other.site || same_calls(t, other) || !mine) return nullptr;
    while (n + 1 < mine && n < other.calls.count && t.calls.items[n] == other.calls.items[n]) n++;
    Location& at = *allocate_array<Location>(1);
    at = {block.linear, t.linear, t.calls.items[n]};
    return &at;
}
