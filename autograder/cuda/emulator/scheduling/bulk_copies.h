// Bulk copies: one thread starts them, an engine makes them. Like other asynchronous copies they land as late as may be,
// where a thread waits for them, or at once where the request says so. What a copy reads and writes is checked where it
// starts, as accesses of its engine.
#pragma once
#include "time_slices.h"

struct BulkPiece {  // bytes in a row. Addresses of shared memory are those that all blocks have for it
    u64 to, from;
    u32 bytes, zeros;
};

// What a copy does with each number of its destination.
enum class Reduction : u8 { None, AddU32, AddU64, AddFloat, MinU32, MaxU32, MinI32, MaxI32, And, Or, Xor };

struct BulkCopy {
    Location starter;
    Vector<BulkPiece> pieces;
    u64 bytes;  // that it counts at an mbarrier
    u32 group;  // of its thread
    Reduction reduction;
};

struct Mbarrier {  // in shared memory; what it counts is in its word
    u64 place;     // as in BulkPiece
    bool ready;    // it has been initialized
    u32 ended;     // phases
    CopyEngine engine;
    u32 landed;                // of its engine's copies
    Vector<BulkCopy*> on_way;  // in the order in which they started
};

struct BulkGroups {             // of a thread
    CopyEngine reader, writer;  // a source may be free before the destination is written
    u32 group;                  // groups that are closed
    Vector<u32> closed;         // by group: copies that had started when it was closed
    Vector<BulkCopy*> on_way;
};

static Vector<Mbarrier>* mbarriers_of;  // by the block's slot
static BulkGroups* bulk_groups_of;      // by the thread's slot
static Vector<BulkCopy*> unused_bulk_copies;

static void prepare_bulk_copies() {
    mbarriers_of = allocate_array<Vector<Mbarrier>>(request.residents);
    bulk_groups_of = allocate_array<BulkGroups>(request.residents * block.size);
}

// ---- places ---------------------------------------------------------------------------------------------
// The address of a place that all blocks have for it, and that of the running block.
static u64 common_place(u64 address) {
    const bool is_in_block = address - shared_low < shared_end - shared_low;
    return is_in_block && slots_size ? in_slot(block.slot, address) : address;
}
static u64 place_here(u64 address) {
    return is_in_slots(address) && slot_of(address) == block.slot ? home_of(address) : address;
}

static Mbarrier& mbarrier_at(u64 address) {
    Vector<Mbarrier>& all = mbarriers_of[is_in_slots(address) ? slot_of(address) : block.slot];
    const u64 place = common_place(address);
    for (u64 i = 0; i < all.count; i++)
        if (all.items[i].place == place) return all.items[i];
    Mbarrier& made = all.push();
    made = {place, false, 0, make_engine(Wait::Mbarrier), 0, {}};
    return made;
}

// ---- a copy ---------------------------------------------------------------------------------------------
static BulkCopy& make_bulk_copy(const void* site, Reduction reduction) {
    if (!unused_bulk_copies.count) unused_bulk_copies.push() = (BulkCopy*)allocate(sizeof(BulkCopy));
    BulkCopy& c = *unused_bulk_copies.items[--unused_bulk_copies.count];
    c.starter = location(*current, site);
    c.pieces.count = c.bytes = c.group = 0;
    c.reduction = reduction;
    return c;
}

template <class T, class F> static void reduce(u64 to, u64 from, u32 bytes, F both) {
    for (u32 at = 0; at < bytes; at += sizeof(T)) {
        T* place = (T*)(to + at);
        *place = both(*place, *(const T*)(from + at));
    }
}

static void move_bytes(Reduction how, u64 to, u64 from, u32 bytes) {
    auto add = [](auto a, auto b) { return a + b; };
    auto least = [](auto a, auto b) { return a < b ? a : b; };
    auto most = [](auto a, auto b) { return a > b ? a : b; };
    switch (how) {
    case Reduction::None:
        __builtin_memmove((void*)to, (const void*)from, bytes);
        break;
    case Reduction::AddU32:
        return reduce<u32>(to, from, bytes, add);
    case Reduction::AddU64:
        return reduce<u64>(to, from, bytes, add);
    case Reduction::AddFloat:
        return reduce<float>(to, from, bytes, add);
    case Reduction::MinU32:
        return reduce<u32>(to, from, bytes, least);
    case Reduction::MaxU32:
        return reduce<u32>(to, from, bytes, most);
    case Reduction::MinI32:
        return reduce<i32>(to, from, bytes, least);
    case Reduction::MaxI32:
        return reduce<i32>(to, from, bytes, most);
    case Reduction::And:
        return reduce<u32>(to, from, bytes, [](u32 a, u32 b) { return a & b; });
    case Reduction::Or:
        return reduce<u32>(to, from, bytes, [](u32 a, u32 b) { return a | b; });
    case Reduction::Xor:
        return reduce<u32>(to, from, bytes, [](u32 a, u32 b) { return a ^ b; });
    }
}

static void land(const BulkCopy& c) {
    Observers::settle();
    for (u64 i = 0; i < c.pieces.count; i++) {
        const BulkPiece& p = c.pieces.items[i];
        const u64 to = place_here(p.to);
        move_bytes(c.reduction, to, place_here(p.from), p.bytes);
        __builtin_memset((void*)(to + p.bytes), 0, p.zeros);
        Observers::land(c.starter, to, p.bytes + p.zeros);
    }
    record_change();
}

static void forget(BulkCopy& c) { unused_bulk_copies.push() = &c; }

// ---- groups ---------------------------------------------------------------------------------------------
// Lets the copies of all groups but the newest `prior` land. `read_only`: the thread learns no more than that their
// sources are free.
static void land_bulk_groups(Thread& t, u32 prior, bool read_only) {
    BulkGroups& mine = bulk_groups_of[t.slot];
    u64 left = 0;
    for (u64 i = 0; i < mine.on_way.count; i++) {
        BulkCopy& c = *mine.on_way.items[i];
        if (c.group + prior >= mine.group) {
            mine.on_way.items[left++] = &c;
            continue;
        }
        if (!request.copies_at_once) land(c);
        forget(c);
    }
    mine.on_way.count = left;
    if (mine.group <= prior) return;
    // Not all that have landed: an earlier wait for the sources alone may have let more of them land.
    const u32 done = mine.closed.items[mine.group - prior - 1];
    if (!done) return;
    const CopyEngine read = {mine.reader.block, done}, written = {mine.writer.block, done};
    Observers::await_bulk_copies(t, read);
    if (!read_only) Observers::await_bulk_copies(t, written);
}

// A thread that ends waits for none. What it has started goes on, and reads the block's memory.
static void end_bulk_groups(const Thread& t) {
    BulkGroups& mine = bulk_groups_of[t.slot];
    for (u64 i = 0; i < mine.on_way.count; i++) {
        BulkCopy& c = *mine.on_way.items[i];
        Observers::leave_bulk_copy(c.starter, place_here(c.pieces.items[0].from), Action::Read);
        if (!request.copies_at_once) land(c);
        forget(c);
    }
    mine.on_way.count = 0;
}

// Before a block begins, and when it ends: what was on its way to its memory never lands.
static void forget_mbarriers() {
    Vector<Mbarrier>& mine = mbarriers_of[block.slot];
    for (u64 i = 0; i < mine.count; i++) {
        Mbarrier& m = mine.items[i];
        m.ready = false;
        for (u64 k = 0; k < m.on_way.count; k++) forget(*m.on_way.items[k]);
        m.landed += u32(m.on_way.count);
        m.on_way.count = 0;
    }
}

static void end_mbarriers() {
    Vector<Mbarrier>& mine = mbarriers_of[block.slot];
    for (u64 i = 0; i < mine.count; i++)
        for (u64 k = 0; k < mine.items[i].on_way.count; k++) {
            const BulkCopy& c = *mine.items[i].on_way.items[k];
            Observers::leave_bulk_copy(c.starter, place_here(c.pieces.items[0].to), Action::Write);
        }
    forget_mbarriers();
}
