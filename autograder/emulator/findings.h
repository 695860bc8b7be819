// The findings as JSON. Places are (variable, offset) and code addresses; the reader, which has the
// debug information, turns them into names, indices and lines.
#pragma once
#include "hooks.h"

static void put_place(u32 in_block, u32 thread, u32 site) {
    put("\"block\":%u,\"thread\":%u,\"site\":%u", in_block, thread, site);
}
static void put_thread(const Thread& t, const void* site) {
    put("{");
    put_place(block.linear, t.linear, site_of(site));
    put("}");
}

[[noreturn]] static void stop_out_of_bounds(u64 address, u64 size, Action action, const void* site,
                                            const Region* region) {
    const Variable* v = region ? nearest_variable(*region, address) : nullptr;
    bool ours = address - module_base < request.module_image || in_stacks(address);
    if (address >= 4096 && !v && !ours) v = nearest_variable(global_region, address);
    // Too far from every array to be an index of one: then it is a wild pointer.
    int64_t offset = v ? (int64_t)(address - v->start) : 0;
    bool near = v && offset < (int64_t)v->bytes + (1ll << 32) && offset > -(1ll << 32);
    put("{\"kind\":\"OutOfBounds\",\"null\":%s,\"variable\":%lld,\"offset\":%lld,\"size\":%llu,\"action\":%d,"
        "\"accesses\":[",
        address < 4096 ? "true" : "false", near && address >= 4096 ? (long long)(v - variables) : -1ll,
        (long long)offset, (unsigned long long)size, int(action));
    put_thread(*current, site);
    put("]}");
    finish();
}

[[noreturn]] static void stop_read_only(u64 address, u64 size, Action action, const void* site, const Where& w) {
    put("{\"kind\":\"ReadOnly\",\"variable\":%u,\"offset\":%llu,\"size\":%llu,\"action\":%d,\"accesses\":[", w.id,
        (unsigned long long)(address - w.variable->start), (unsigned long long)size, int(action));
    put_thread(*current, site);
    put("]}");
    finish();
}

[[noreturn]] static void stop_misaligned(u64 address, u64 size, Action action, const void* site, const Where& w) {
    put("{\"kind\":\"MisalignedAccess\",\"variable\":%u,\"offset\":%llu,\"size\":%llu,\"modulo\":%llu,\"action\":%d,"
        "\"accesses\":[",
        w.id, (unsigned long long)(address - w.variable->start), (unsigned long long)size,
        (unsigned long long)(address % size), int(action));
    put_thread(*current, site);
    put("]}");
    finish();
}

[[noreturn]] static void stop_reason(const char* kind, const char* reason, const void* site) {
    put("{\"kind\":\"%s\",\"reason\":", kind);
    put_string(reason, __builtin_strlen(reason));
    put(",\"accesses\":[");
    if (current) put_thread(*current, site);
    put("]}");
    finish();
}

extern "C" void __cxa_pure_virtual() { stop_reason("Crash", "call of a pure virtual function", current->site); }
extern "C" void emu_trap(const char* reason, const void* site) { stop_reason("Trap", reason, site); }
extern "C" void emu_misuse(const char* what, const void* site) { stop_reason("Crash", what, site); }

#include "print.h"

static bool completed;  // every block ran to its end

// The end of every launch, good or bad: the stopping finding, if any, was put already.
[[noreturn]] void finish() {
    if (request.quick && !completed) leave_to_thorough();
    current = nullptr;
    trace_settle();
    counts_flush();
    put("],\"races\":[");
    for (u64 i = 0; i < races.count; i++) {
        const RaceRecord& r = races.items[i];
        put("%s{\"variable\":%u,\"offset\":%llu,\"count\":%llu,\"same_value\":%s,\"tied\":%s,\"unawaited\":%d,\"wait\":"
            "%d,\"first\":{\"action\":%d,",
            i ? "," : "", r.variable, (unsigned long long)r.offset, (unsigned long long)r.count,
            r.same_value ? "true" : "false", r.tied ? "true" : "false", int(r.unawaited), int(r.wait),
            int(r.first_action));
        put_place(r.first_block, r.first_thread, r.first_site);
        put("},\"second\":{\"action\":%d,", int(r.second_action));
        put_place(r.second_block, r.second_thread, r.second_site);
        put("}}");
    }
    put("],\"uninitialized\":[");
    for (u64 i = 0; i < uninitialized.count; i++) {
        const UninitializedRecord& r = uninitialized.items[i];
        put("%s{\"variable\":%u,\"offset\":%llu,\"count\":%llu,", i ? "," : "", r.variable,
            (unsigned long long)r.offset, (unsigned long long)r.count);
        put_place(r.block, r.thread, r.site);
        put("}");
    }
    put("],\"local_reads\":[");
    for (u64 i = 0; i < local_reads.count; i++) {
        const LocalRecord& r = local_reads.items[i];
        put("%s{\"local\":\"%s\",\"offset\":%llu,\"count\":%llu,", i ? "," : "", r.name, (unsigned long long)r.offset,
            (unsigned long long)r.count);
        put_place(r.block, r.thread, r.site);
        put("}");
    }
    put("],\"no_values\":[");
    for (u64 i = 0; i < no_values.count; i++) {
        const NoValue& r = no_values.items[i];
        put("%s{\"mask\":%u,\"lane\":%u,\"source\":\"%s\",", i ? "," : "", r.mask, r.lane, r.why);
        put_place(r.block, r.thread, r.site);
        put("}");
    }
    // In the order of run.Counts.
    const Traffic &gr = counts.global[0], &gw = counts.global[1], &ga = counts.global[2];
    const Traffic &sr = counts.shared[0], &sw = counts.shared[1], &sa = counts.shared[2];
    const u64 numbers[] = {
        gr.accesses,
        gw.accesses,
        sr.accesses,
        sw.accesses,
        ga.accesses + sa.accesses,
        ga.accesses,
        counts.barriers,
        gr.requests,
        gr.units,
        gw.requests,
        gw.units,
        sr.requests,
        sr.conflicts,
        sw.requests,
        sw.conflicts,
        sr.units,
        sw.units,
        ga.requests,
        ga.units,
        sa.requests,
        sa.units,
        counts.constant_loads,
        counts.shuffles,
        counts.votes,
        counts.compare_and_swaps,
    };
    put("],\"counts\":[%llu", numbers[0]);
    for (u32 i = 1; i < sizeof numbers / sizeof *numbers; i++) put(",%llu", numbers[i]);
    put("],\"busiest\":");
    put_busiest();
    put(",\"traffic\":[");
    put_site_traffic();
    put("]");
    put(",\"traced\":%llu,\"printed\":", (unsigned long long)trace_count);
    put_string(printed, printed_length);
    put("}");
    send_result();
    _exit(0);
}
