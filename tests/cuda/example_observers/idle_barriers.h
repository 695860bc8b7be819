// Barriers of a block that order nothing: since the barrier before, no thread has accessed an array.
#pragma once
#include "launch/stop.h"
#include "events/observer.h"

struct IdleBarriers : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::Forbidden;
    static inline u64 accesses;
    static inline Location latest;

    static void begin_block() { accesses = 0; }
    static void access(const Access& a) { accesses++; }
    static void wait_at_barrier(const Thread& t, const void* site) { latest = location(t, site); }

    static void open_barrier() {
        if (!accesses) report();
        accesses = 0;
    }

private:
    static void report() {
        for (u64 i = 0; i < observations.count; i++)
            if (observations.items[i].at.site == latest.site) return void(observations.items[i].count++);
        observations.push() = {"idle_barriers", "orders nothing", 1, latest};
    }
};
