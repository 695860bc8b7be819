// Which thread of the launch uses memory most often, and by which instructions: a launch takes as long as that one.
#pragma once
#include "launch/stop.h"
#include "launch/workers.h"
#include "events/observer.h"
#include "traffic.h"

struct MaximumWork : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::TakesPart;
    static constexpr int turn = -7;  // reads what Traffic counts
    struct Work {
        u64 uses;  // by the one thread, the first of those that make as many
        u32 block, thread;
        u32 together;          // threads of one block that use memory, in the block where most of them do
        u32 shared_out;        // see `ThreadWork`
        u32 blocks;            // in which some thread writes what other blocks can read
        u64 global_loads;      // by the thread that makes the most of them
        u64 global_atomics;    // by the thread that makes the most of these
        u64 loading, storing;  // threads that load from global memory, and that store there
        u32 site_count;        // of the thread
        SiteUses sites[Traffic::MAX_SITES + 1];
    };
    static constexpr u64 FEW = 16;  // times as much as the average is what only few threads can do
    static inline Work* by_worker;
    static inline Work* maximum;  // of the blocks that this worker has ended

    static void prepare() { by_worker = maximum = allocate_by_worker<Work>(); }
    static void start_worker() { maximum = by_worker + worker; }

    static void end_block() {
        static u64 accesses_of[MAX_THREADS], global_of[MAX_THREADS], loads_of[MAX_THREADS], stores_of[MAX_THREADS];
        static u64 atomics_of[MAX_THREADS];
        bool leaves = false;
        __builtin_memset(accesses_of, 0, block.size * sizeof(u64));
        __builtin_memset(global_of, 0, block.size * sizeof(u64));
        __builtin_memset(loads_of, 0, block.size * sizeof(u64));
        __builtin_memset(stores_of, 0, block.size * sizeof(u64));
        __builtin_memset(atomics_of, 0, block.size * sizeof(u64));
        Traffic::each_log([&leaves](const RequestLog& log, u32 warp) {
            bool loads = log.space == Space::Global && log.action == Action::Read;
            bool stores = log.space == Space::Global && log.action == Action::Write;
            bool atomics = log.space == Space::Global && log.action == Action::Atomic;
            // In a cluster, other blocks can read what a block leaves in its own shared memory.
            bool visible = log.remote || log.space == Space::Global || is_clustered();
            bool outside = log.action != Action::Read && visible;
            u32 lanes = block.size - 32 * warp < 32 ? block.size - 32 * warp : 32;
            for (u32 lane = 0; lane < lanes; lane++) {
                accesses_of[32 * warp + lane] += log.accesses[lane];
                leaves |= outside && log.accesses[lane];
                if (log.space == Space::Global) global_of[32 * warp + lane] += log.accesses[lane];
                if (loads) loads_of[32 * warp + lane] += log.accesses[lane];
                if (stores) stores_of[32 * warp + lane] += log.accesses[lane];
                if (atomics) atomics_of[32 * warp + lane] += log.accesses[lane];
            }
        });
        u32 first = 0, together = 0;
        u64 all = 0, by_many = 0;
        for (u32 i = 0; i < block.size; i++) all += global_of[i];
        for (u32 i = 0; i < block.size; i++) {
            if (global_of[i] * block.size <= FEW * all) by_many += global_of[i];
            together += accesses_of[i] != 0;
            maximum->loading += loads_of[i] != 0;
            maximum->storing += stores_of[i] != 0;
            if (accesses_of[i] > accesses_of[first]) first = i;
            if (loads_of[i] > maximum->global_loads) maximum->global_loads = loads_of[i];
            if (atomics_of[i] > maximum->global_atomics) maximum->global_atomics = atomics_of[i];
        }
        if (together > maximum->together) maximum->together = together;
        maximum->blocks += leaves;
        if (all && 100 * by_many / all > maximum->shared_out) maximum->shared_out = u32(100 * by_many / all);
        if (!accesses_of[first] || !is_more(accesses_of[first], block.linear, first, *maximum)) return;
        maximum->uses = accesses_of[first];
        maximum->block = block.linear;
        maximum->thread = first;
        maximum->site_count = 0;
        Traffic::each_log([&](const RequestLog& log, u32 warp) {
            u64 uses = log.accesses[first % 32];
            if (warp == first / 32 && uses) maximum->sites[maximum->site_count++] = {log.site, uses};
        });
    }

    static void join_worker(u32 k) {
        const Work& other = by_worker[k];
        u32 together = maximum->together > other.together ? maximum->together : other.together;
        u32 shared_out = maximum->shared_out > other.shared_out ? maximum->shared_out : other.shared_out;
        u32 blocks = maximum->blocks + other.blocks;
        u64 loads = maximum->global_loads > other.global_loads ? maximum->global_loads : other.global_loads;
        u64 atomics = maximum->global_atomics > other.global_atomics ? maximum->global_atomics : other.global_atomics;
        u64 loading = maximum->loading + other.loading, storing = maximum->storing + other.storing;
        if (other.uses && is_more(other.uses, other.block, other.thread, *maximum)) *maximum = other;
        maximum->together = together;
        maximum->shared_out = shared_out;
        maximum->blocks = blocks;
        maximum->global_loads = loads;
        maximum->global_atomics = atomics;
        maximum->loading = loading;
        maximum->storing = storing;
    }

    static void fill_answer() {
        static ThreadWork work;
        const Work& m = *maximum;
        work = {m.uses,         m.block,          m.thread,  m.together, m.shared_out,           m.blocks,
                m.global_loads, m.global_atomics, m.loading, m.storing,  {m.sites, m.site_count}};
        if (m.uses) answer.maximum_work = &work;
    }

private:
    static bool is_more(u64 uses, u32 in_block, u32 thread, const Work& than) {
        if (uses != than.uses) return uses > than.uses;
        return in_block != than.block ? in_block < than.block : thread < than.thread;
    }
};
