// Which array an address belongs to. Arrays start on pages of 256 bytes of their own (the arena's
// layout and the linker script see to it), so a table by page finds one in constant time.
#pragma once
#include "allocate.h"

struct Slot {  // one remembered access, see observers/races.h
    u32 block, interval, clock;
    u32 site;
    u16 thread, step;
    u8 mask;  // of the granule's four bytes; 0: empty
    u8 action;
    u8 atomic_scope;  // of an atomic
};
struct MoreSlots;
struct Cell {
    u32 block, interval;  // shared memory: what the slots are from
    u32 counted;          // the races counted here, one bit each by their number modulo 32
    u8 any_write;
    u32 pending;     // number + 1 of the asynchronous copy on its way here; 0: none
    u32 early_read;  // a read before any write in this interval, see observers/initialization.h
    Slot slots[3];
    MoreSlots* more;  // where threads share out the granule's bytes; null: three were enough
};
struct MoreSlots {
    Slot slots[3];
    MoreSlots* next;
};

struct Region {
    u64 low, size;
    u16* variable_of_page;  // index + 1 of the first variable that touches the page
    Cell* cells;            // one for each 4 bytes, touched lazily
    u64* written;           // shared memory: (block + 1) << 4 | mask of written bytes
};

static Variable* variables;  // by address within each region; `start` is absolute once loaded
static u32 variable_count;
static Region global_region, module_region;

static void region_prepare(Region& r, u64 low, u64 size) {
    r.low = low;
    r.size = size;
    r.variable_of_page = allocate_array<u16>(size / 256 + 2);
    r.cells = (Cell*)allocate_lazily((size / 4 + 2) * sizeof(Cell));
    r.written = (u64*)allocate_lazily((size / 4 + 2) * sizeof(u64));
    for (u32 i = 0; i < variable_count; i++) {
        const Variable& v = variables[i];
        if (v.start - low >= size || !v.bytes) continue;
        for (u64 page = (v.start - low) / 256; page <= (v.start + v.bytes - 1 - low) / 256; page++)
            if (!r.variable_of_page[page]) r.variable_of_page[page] = u16(i + 1);
    }
}

// The variable that holds [address, address + size), or null.
static ALWAYS_INLINE const Variable* find_variable(const Region& r, u64 address, u64 size) {
    u32 i = r.variable_of_page[(address - r.low) / 256];
    if (UNLIKELY(!i)) return nullptr;
    for (const Variable* v = variables + i - 1; v < variables + variable_count; v++) {
        if (LIKELY(address - v->start < v->bytes)) return address + size <= v->start + v->bytes ? v : nullptr;
        if (v->start > address) break;
    }
    return nullptr;
}

// The variable nearest to an address that lies in none: the one that starts at or before it and ends
// last, else the first after it.
static const Variable* nearest_variable(const Region& r, u64 address) {
    const Variable* best = nullptr;
    for (u32 i = 0; i < variable_count; i++) {
        const Variable& v = variables[i];
        if (v.start - r.low >= r.size) continue;
        if (address - v.start < v.bytes) return &v;  // it begins inside, and ends outside
        auto distance = [&](const Variable& o) {
            return address < o.start ? o.start - address : address - (o.start + o.bytes) + 1;
        };
        if (!best || distance(v) < distance(*best)) best = &v;
    }
    return best;
}
