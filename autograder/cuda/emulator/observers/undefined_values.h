// A shuffle asks for the value of a lane that took no part in it. The value is undefined, which does no harm if it is
// never used: the reader runs such a launch again with other values there, and compares the results.
#pragma once
#include "launch/stop.h"
#include "events/observer.h"

struct UndefinedValues : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::Covered;
    static inline Vector<AbsentLane> records;

    static void undefined_value(const Thread& t, u32 lane, const void* site) {
        Missing why = t.warp * 32 + lane >= block.size ? Missing::Absent
                      : t.mask >> lane & 1             ? Missing::Left
                                                       : Missing::Unnamed;
        for (u64 i = 0; i < records.count; i++)
            if (records.items[i].at.site == site_of(site) && records.items[i].source == why) return;
        records.push() = {t.mask, lane, why, location(t, site)};
    }

    static void fill_answer() { answer.no_values = {records.items, records.count}; }
};
