// Loads through the read-only cache (`__ldg`, `ld.global.nc`) of what the launch has written. That cache does not see writes:
// so whatever orders the two, and be they of one thread, the load may get an older value.
#pragma once
#include "launch/shadow.h"
#include "launch/stop.h"
#include "events/observer.h"

struct ReadOnlyLoads : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::Covered;
    struct Cell {
        RacingAccess last[4];  // the last write of each byte; a read: none
        u64 counted;           // the bytes counted here of each record: 4 bits, by its number modulo 16
    };
    static inline Shadow<Cell> cells;
    static constexpr u64 MAX_RECORDS = 512;
    static inline bool* is_written;  // by variable
    static inline Vector<StaleRead> records;

    static void prepare() {
        if (!request.read_only_loads) return;
        cells.prepare();
        is_written = allocate_array<bool>(variable_count);
    }

    static ALWAYS_INLINE void access(const Access& a) {
        if (LIKELY(!request.read_only_loads) || a.action == Action::Read || a.at.variable->space == Space::Shared)
            return;
        if (a.action == Action::Atomic && a.thread.atomic_part == Part::Loads) return;
        is_written[a.at.id] = true;
        const RacingAccess write = {a.action, 0, location(a.thread, a.site)};
        each_shadow_word(*a.at.region, a.address, a.size, [&](u64 g, u32 mask) {
            for (u32 left = mask; left; left &= left - 1) cells.of(a.at)[g].last[__builtin_ctz(left)] = write;
        });
    }

    static void load_read_only(const Thread& t, u64 address, u32 size, const void* site) {
        Where w = find_array(address, size);
        if (LIKELY(!w.variable || !is_written[w.id])) return;  // (without a variable, the load itself is out of bounds)
        each_shadow_word(*w.region, address, size, [&](u64 g, u32 mask) {
            Cell& cell = cells.of(w)[g];
            for (u32 left = mask; left; left &= left - 1) {
                u32 byte = u32(__builtin_ctz(left));
                if (cell.last[byte].action == Action::Read) continue;
                u64 offset = w.region->low + 4 * g + byte - w.variable->start;
                u64 i = record(cell.last[byte], w.id, offset, location(t, site));
                if (i == MAX_RECORDS) continue;
                u64 counts = 1ull << (byte + 4 * (i % 16));
                if (!(cell.counted & counts)) records.items[i].count++;
                cell.counted |= counts;
            }
        });
    }

    static void fill_answer() { answer.stale_reads = {records.items, records.count}; }

private:
    // Its number, or MAX_RECORDS if it is one too many.
    static u64 record(const RacingAccess& write, u32 variable, u64 offset, const Location& at) {
        u64 i = 0;
        for (; i < records.count; i++) {
            const StaleRead& r = records.items[i];
            if (r.write.at.site == write.at.site && r.at.site == at.site && r.variable == variable) return i;
        }
        if (i < MAX_RECORDS) records.push() = {write, at, variable, offset, 0};
        return i;
    }
};
