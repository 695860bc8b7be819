// What stops a launch. Places are (variable, offset) and code addresses; the reader, which has the debug information,
// turns them into names, indices and lines.
#pragma once
#include "remote_memory.h"

static Answer answer;            // each observer fills in what it knows, at the end
static void (*send_answer)();    // and quits; main.cpp knows the observers
static volatile bool is_ending;  // from here on, no signal may begin another answer

// The end of every launch, good or bad.
[[noreturn]] static void finish() {
    is_ending = true;
    memory_left = ~0ull;
    stop_for_memory = nullptr;
    send_answer();
    __builtin_unreachable();
}

// What observers of other packages report, who have no record in protocol.json.
static Vector<Observation> observations;

static Location location(const Thread& t, const void* site) { return {block.linear, t.linear, site_of(site)}; }

template <class Record> [[noreturn]] static void stop(const Record& record) {
    const Stop why = record;
    answer.stop = &why;
    finish();
}

// Where the thread that runs is; null: the runtime itself runs, or the place is not known.
static const Location* location_of_current(const void* site) {
    static Location at;
    if (!current || !site) return nullptr;
    at = location(*current, site);
    return &at;
}
[[noreturn]] static void stop_limit(Limit limit, const void* site) {
    stop(StepLimit{limit, location_of_current(site)});
}
// From now on the kernel runs.
static void bound_memory() {
    memory_left = request.memory;
    stop_for_memory = [] { stop_limit(Limit::Memory, current ? current->site : nullptr); };
}
[[noreturn]] static void stop_crash(const char* reason, const void* site) {
    stop(Crash{reason, location_of_current(site)});
}

// Whether a function has taken more for its variables than the stack has: more than the page that guards it, perhaps.
static void stop_if_overflown(const void* site) {
    if (lowest_variable() < current->stack_low) stop_crash("stack overflow", site);
}

[[noreturn]] static void stop_out_of_bounds(u64 address, u64 size, Action action, const void* site,
                                            const Region* region) {
    stop_if_overflown(site);
    const Variable* v = region ? nearest_variable(*region, address) : nullptr;
    bool ours = in_kernel((const void*)address) || in_stacks(address);
    if (address >= 4096 && !v && !ours) v = nearest_variable(global_region, address);
    // Too far from every array to be an index of one: then it is a wild pointer.
    i64 offset = v ? i64(address - v->start) : 0;
    bool near = v && offset < i64(v->bytes) + (1ll << 32) && offset > -(1ll << 32);
    Location at = location(*current, site);
    if (!near || address < 4096) stop(WildAccess{.address = address, .action = action, .at = at});
    stop(OutOfBounds{.variable = u32(v - variables),
                     .offset = offset,
                     .size = size,
                     .action = action,
                     .at = at,
                     .owner = block.linear});
}

// Around the arrays of another block of the cluster.
[[noreturn]] static void stop_out_of_remote_bounds(u64 address, u64 size, Action action, const void* site) {
    u64 home = home_of(address);
    const Variable* v = nearest_variable({shared_low, shared_end - shared_low, nullptr}, home);
    stop(OutOfBounds{.variable = u32(v - variables),
                     .offset = i64(home - v->start),
                     .size = size,
                     .action = action,
                     .at = location(*current, site),
                     .owner = owner_of_slot(slot_of(address))});
}

[[noreturn]] static void stop_read_only(u64 address, Action action, const void* site, Where w) {
    stop(ReadOnlyWrite{w.id, address - w.variable->start, action, location(*current, site)});
}

[[noreturn]] static void stop_misaligned(u64 address, u64 size, Action action, const void* site, Where w) {
    u64 offset = address - w.variable->start;
    stop(MisalignedAccess{w.id, offset, size, address % size, action, location(*current, site), owner_of(w)});
}
