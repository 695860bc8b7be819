// Which thread of the launch uses memory most often, and by which instructions: a launch takes as long as that one.
// What each lane does at an instruction is added up with its requests (see site_log.h), and looked at when its block ends.
#pragma once
#include "counts.h"

struct Busiest {
    u64 uses;  // by the one thread, the first of those that make as many
    u32 block, thread;
    u32 together;  // threads of one block that use memory, in the block where most of them do
    u32 sites;     // of the thread
    SiteUses at[SITE_LIMIT + 1];
};
static Busiest* busiest;  // of the blocks that this process has ended

// Calls `each(log, warp)` for every log of the block's warps.
template <class F> static void each_log(F each) {
    for (u32 warp = 0; warp < block.warps; warp++) {
        for (u32 i = 0; i < site_id_count; i++)
            if (SiteLog* log = site_logs[warp][i]) each(*log, warp);
        if (SiteLog* log = site_logs[warp][SITE_LIMIT]) each(*log, warp);
    }
}

static bool is_busier(u64 uses, u32 of_block, u32 thread, const Busiest& than) {
    if (uses != than.uses) return uses > than.uses;
    return of_block != than.block ? of_block < than.block : thread < than.thread;
}

// The block has ended, and all its accesses are counted.
static void busiest_end_block() {
    static u64 uses_of[1024];
    __builtin_memset(uses_of, 0, block.size * sizeof(u64));
    each_log([](const SiteLog& log, u32 warp) {
        u32 lanes = block.size - 32 * warp < 32 ? block.size - 32 * warp : 32;
        for (u32 lane = 0; lane < lanes; lane++) uses_of[32 * warp + lane] += log.uses[lane];
    });
    u32 first = 0, together = 0;
    for (u32 i = 0; i < block.size; i++) {
        together += uses_of[i] != 0;
        if (uses_of[i] > uses_of[first]) first = i;
    }
    if (together > busiest->together) busiest->together = together;
    bool busier = uses_of[first] && is_busier(uses_of[first], block.linear, first, *busiest);
    if (busier) {
        busiest->uses = uses_of[first];
        busiest->block = block.linear;
        busiest->thread = first;
        busiest->sites = 0;
    }
    each_log([&](SiteLog& log, u32 warp) {
        u64 uses = log.uses[first % 32];
        if (busier && warp == first / 32 && uses) busiest->at[busiest->sites++] = {log.site, uses};
        __builtin_memset(log.uses, 0, sizeof(log.uses));
    });
}

// What a block that is put aside has done at an instruction so far.
struct UsesAside {
    SiteLog* log;
    u64 uses[32];
};

static void busiest_put_aside(List<UsesAside>& aside) {
    aside.count = 0;
    each_log([&](SiteLog& log, u32) {
        u64 any = 0;
        for (u64 uses : log.uses) any |= uses;
        if (!any) return;
        UsesAside& kept = aside.push();
        kept.log = &log;
        __builtin_memcpy(kept.uses, log.uses, sizeof(log.uses));
        __builtin_memset(log.uses, 0, sizeof(log.uses));
    });
}

static void busiest_take_up(const List<UsesAside>& aside) {
    for (u64 i = 0; i < aside.count; i++)
        __builtin_memcpy(aside.items[i].log->uses, aside.items[i].uses, sizeof(aside.items[i].uses));
}

// What two workers have seen, `one` of them takes over for both.
static void busiest_join(Busiest& one, const Busiest& other) {
    u32 together = one.together > other.together ? one.together : other.together;
    if (other.uses && is_busier(other.uses, other.block, other.thread, one)) one = other;
    one.together = together;
}

static void busiest_answer() {
    static BusiestThread thread;
    const Busiest& b = *busiest;
    thread = {b.uses, b.block, b.thread, b.together, {b.at, b.sites}};
    if (b.uses) answer.busiest = &thread;
}
