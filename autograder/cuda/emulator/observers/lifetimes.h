// The shared memory of a block is there from its beginning to its end. Another block of its cluster may access it only
// where both are sure, whatever the schedule: something that a thread of the owner has done comes before the access, and
// the access before the end of the owner, by what its threads have waited for. What an ended block held is still in its
// slot, so the launch goes on, as after a race; before a block has begun, nothing is there.
#pragma once
#include "happens_before.h"
#include "launch/stop.h"
#include "events/observer.h"

struct Lifetimes : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::Covered;
    static constexpr int turn = -4;  // queries HappensBefore
    // A thread's latest access of an owner's memory: what comes after that comes after all.
    struct Latest {
        u32 interval, clock;
        EndedBlock record;
    };
    static inline Latest** latest;  // by the owner's slot, then by the other's rank and thread; null: nobody yet

    static inline Vector<EndedBlock> records;

    static void prepare() {
        if (is_clustered()) latest = allocate_array<Latest*>(request.residents);
    }

    static void begin_block() {
        if (is_clustered() && latest[block.slot]) __builtin_memset(latest[block.slot], 0, threads() * sizeof(Latest));
    }

    static void access_remotely(const Access& a) {
        u32 owner = owner_of(a.at);
        u64 offset = a.address - a.at.variable->start;
        Location at = location(a.thread, a.site);
        if (!HappensBefore::has_begun(owner, a.thread)) stop(AbsentBlock{owner, a.at.id, offset, a.action, at});
        const EndedBlock record = {owner, a.at.id, offset, a.action, at};
        const Block& there = *block.cluster->blocks[remote_slot % cluster_size()];
        if (there.exited == there.size) return keep(record);
        Latest*& of_owner = latest[remote_slot];
        if (!of_owner) of_owner = allocate_array<Latest>(threads());
        of_owner[block.slot % cluster_size() * block.size + a.thread.linear] = {
            block.interval, HappensBefore::of(a.thread).clock, record};
    }

    static void end_block() {
        if (!is_clustered() || !latest[block.slot]) return;
        const VectorClock* end = HappensBefore::before_end();
        for (u32 i = 0; i < threads(); i++) {
            const Latest& l = latest[block.slot][i];
            const Location& at = l.record.at;
            if (at.site && !HappensBefore::covers(end, at.block, l.interval, at.thread, l.clock)) keep(l.record);
        }
    }

    // What it does to the block's memory, it may do when that is another one's.
    static void leave_bulk_copy(const Location& starter, u64 shared, Action action) {
        const Where w = find_array(shared, 1);
        keep({block.linear, w.id, shared - w.variable->start, action, starter});
    }

    static void fill_answer() { answer.ended_blocks = {records.items, records.count}; }

private:
    static void keep(const EndedBlock& record) {
        for (u64 i = 0; i < records.count; i++)
            if (records.items[i].at.site == record.at.site) return;
        records.push() = record;
    }

    static u32 threads() { return cluster_size() * block.size; }  // of a cluster
};
