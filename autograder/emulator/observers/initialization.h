// Reads of what no thread has written: of shared memory (no thread of the block), and of arrays that
// came without values. A read is judged when its barrier
// interval is over: if another thread writes the element within the interval, with nothing that
// puts the read first, then the two race, and the mistake is the missing order.
#pragma once
#include "../core.h"

struct UninitializedRecord {
    u32 site, variable, block;
    u16 thread;
    u64 offset, count;  // of elements: where the access begins
    u64 latest = 0;     // the offset that was counted last, in which block
    u32 latest_block = 0;
};
static List<UninitializedRecord> uninitialized;

struct EarlyRead {
    UninitializedRecord place;
    u32 clock;
    bool atomic;
    Cell* cell;
};
static List<EarlyRead> early_reads;  // of this interval; a cell refers to its own by number + 1

// Whether the early read came before what `t` does now.
static bool read_first(const EarlyRead& r, const Thread& t) {
    return r.place.thread == t.linear || (r.place.thread / 32u == t.warp && r.clock < t.seen[r.place.thread % 32u]);
}

static ALWAYS_INLINE void initialization_access(Thread& t, const Where& w, u64 address, u32 size, Action action,
                                                u32 site) {
    bool shared = w.variable->space == Space::Shared;
    if (!shared && !w.variable->without_values) return;
    u64 stamp = shared ? u64(block.linear + 1) << 4 : 1 << 4;
    if (action == Action::Read && size == 4 && address % 4 == 0 &&
        LIKELY(w.region->written[(address - w.region->low) / 4] == (stamp | 15)))
        return;  // by far the commonest
    bool atomic = action == Action::Atomic;
    bool reads = action == Action::Read || (atomic && t.atomic_part != Part::Stores);
    bool writes = action == Action::Write || (atomic && t.atomic_part != Part::Loads);
    u64 first = (address - w.region->low) / 4, last = (address + size - 1 - w.region->low) / 4;
    for (u64 g = first; g <= last; g++) {
        u64 low = w.region->low + g * 4;
        u32 from = address > low ? u32(address - low) : 0;
        u32 to = address + size < low + 4 ? u32(address + size - low) : 4;
        u64 mask = ((1u << to) - 1) & ~((1u << from) - 1);
        u64& written = w.region->written[g];
        if (written >> 4 != stamp >> 4) written = stamp;
        Cell& cell = w.region->cells[g];
        if (reads && UNLIKELY(mask & ~written) && !cell.early_read) {
            early_reads.push() = {
                {site, w.id, block.linear, u16(t.linear), address - w.variable->start, 1}, t.clock, atomic, &cell};
            cell.early_read = u32(early_reads.count);
        }
        if (writes) {
            written |= mask;
            // (Of two atomics that read, one is the first, whichever.)
            EarlyRead* early = UNLIKELY(cell.early_read) ? &early_reads.items[cell.early_read - 1] : nullptr;
            if (early && !(early->atomic && atomic && reads) && !read_first(*early, t)) early->place.count = 0;
        }
    }
}

// At the end of a barrier interval. Where the launch stops within one, its early reads are not judged:
// who would have written is not known.
static void initialization_settle() {
    for (u64 i = 0; i < early_reads.count; i++) {
        const UninitializedRecord& p = early_reads.items[i].place;
        early_reads.items[i].cell->early_read = 0;
        if (!p.count) continue;
        u64 r = 0;
        while (r < uninitialized.count &&
               (uninitialized.items[r].site != p.site || uninitialized.items[r].variable != p.variable))
            r++;
        if (r == uninitialized.count) uninitialized.push() = p;
        // The words of one wide element follow each other.
        else if (uninitialized.items[r].latest != p.offset || uninitialized.items[r].latest_block != p.block)
            uninitialized.items[r].count++;
        uninitialized.items[r].latest = p.offset;
        uninitialized.items[r].latest_block = p.block;
    }
    early_reads.count = 0;
}

static void initialization_answer() {
    UninitializedRead* told = allocate_array<UninitializedRead>(uninitialized.count);
    for (u64 i = 0; i < uninitialized.count; i++) {
        const UninitializedRecord& r = uninitialized.items[i];
        told[i] = {r.variable, r.offset, r.count, {r.block, r.thread, r.site}};
    }
    answer.uninitialized = {told, uninitialized.count};
}
