// What stops a launch, and how its answer is sent. Places are (variable, offset) and code addresses; the reader, which
// has the debug information, turns them into names, indices and lines.
#pragma once
#include "hooks.h"
#include "protocol_json.h"

[[noreturn]] static void stop_out_of_bounds(u64 address, u64 size, Action action, const void* site,
                                            const Region* region) {
    const Variable* v = region ? nearest_variable(*region, address) : nullptr;
    bool ours = address - module_base < request.module_image || in_stacks(address);
    if (address >= 4096 && !v && !ours) v = nearest_variable(global_region, address);
    // Too far from every array to be an index of one: then it is a wild pointer.
    int64_t offset = v ? (int64_t)(address - v->start) : 0;
    bool near = v && offset < (int64_t)v->bytes + (1ll << 32) && offset > -(1ll << 32);
    Location at = location(*current, site);
    if (!near || address < 4096) stop(WildAccess{.null = address < 4096, .action = action, .at = at});
    stop(OutOfBounds{.variable = u32(v - variables), .offset = offset, .size = size, .action = action, .at = at});
}

[[noreturn]] static void stop_read_only(u64 address, Action action, const void* site, const Where& w) {
    stop(ReadOnlyWrite{w.id, address - w.variable->start, action, location(*current, site)});
}

[[noreturn]] static void stop_misaligned(u64 address, u64 size, Action action, const void* site, const Where& w) {
    u64 offset = address - w.variable->start;
    stop(MisalignedAccess{w.id, offset, size, address % size, action, location(*current, site)});
}

// Where the thread that runs is; null: the runtime itself runs.
static const Location* location_of_current(const void* site) {
    static Location at;
    if (!current) return nullptr;
    at = location(*current, site);
    return &at;
}
[[noreturn]] static void stop_limit(Limit limit, const void* site) {
    stop(StepLimit{limit, location_of_current(site)});
}
[[noreturn]] static void stop_crash(const char* reason, const void* site) {
    stop(Crash{reason, location_of_current(site)});
}

extern "C" void __cxa_pure_virtual() { stop_crash("call of a pure virtual function", current->site); }
extern "C" void emu_trap(const char* reason, const void* site) { stop(Trap{reason, location_of_current(site)}); }
extern "C" void emu_misuse(const char* what, const void* site) { stop_crash(what, site); }

#include "print.h"

static bool completed;  // every block ran to its end

// The end of every launch, good or bad: why it stopped, if it did, is in the answer already.
[[noreturn]] void finish() {
    if (request.quick && !completed) leave_to_thorough();
    current = nullptr;
    trace_settle();
    counts_flush();
    races_answer();
    initialization_answer();
    answer.local_reads = {local_reads.items, local_reads.count};
    answer.no_values = {no_values.items, no_values.count};
    counts_answer();
    busiest_answer();
    answer.traced = trace_count;
    answer.printed = {printed, printed_length};
    put(answer);
    send_result();
    _exit(0);
}
