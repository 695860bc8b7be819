// Reads of shared memory that no thread of the block has written yet.
#pragma once
#include "../core.h"

struct UninitializedRecord {
    u32 site, variable, block;
    u16 thread;
    u64 offset, count;
};
static List<UninitializedRecord> uninitialized;

static ALWAYS_INLINE void initialisation_access(Thread& t, const Where& w, u64 address, u32 size, Action action, u32 site) {
    if (w.variable->space != Space::Shared) return;
    u64 stamp = u64(block.linear + 1) << 4;
    u64 first = (address - w.region->low) / 4, last = (address + size - 1 - w.region->low) / 4;
    for (u64 g = first; g <= last; g++) {
        u64 low = w.region->low + g * 4;
        u32 from = address > low ? u32(address - low) : 0;
        u32 to = address + size < low + 4 ? u32(address + size - low) : 4;
        u64 mask = ((1u << to) - 1) & ~((1u << from) - 1);
        u64& written = w.region->written[g];
        if (written >> 4 != stamp >> 4) {
            written = stamp;
            w.region->cells[g].uninitialized = 0;
        }
        if (action != Action::Write && UNLIKELY(mask & ~written) && !w.region->cells[g].uninitialized) {
            w.region->cells[g].uninitialized = 1;
            u64 i = 0;
            while (i < uninitialized.count && (uninitialized.items[i].site != site || uninitialized.items[i].variable != w.id)) i++;
            if (i == uninitialized.count) uninitialized.push() = {site, w.id, block.linear, u16(t.linear), address - w.variable->start, 0};
            uninitialized.items[i].count++;
        }
        if (action != Action::Read) written |= mask;
    }
}
