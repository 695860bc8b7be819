// Asynchronous copies into shared memory. The bytes land when the thread waits for them, which is as late as
// may be, or where the request says so at once; until the wait nobody, not even the thread itself, may use
// their place.
#pragma once
#include "turns.h"

struct AsyncCopy {
    u64 to, from;
    u32 bytes, zeros, group;
    const void* site;
};
struct AsyncCopies {
    List<AsyncCopy> open;
    u32 group;
};

static void access_range(u64 address, u64 size, Action action, const void* site);

static void move_bytes(const Thread& t, const AsyncCopy& c) {
    settle_writes();
    __builtin_memcpy((void*)c.to, (const void*)c.from, c.bytes);
    __builtin_memset((void*)(c.to + c.bytes), 0, c.zeros);
    const Region& r = c.to - module_region.low < module_region.size ? module_region : global_region;
    if (c.to - r.low >= r.size) return;
    const Variable* v = find_variable(r, c.to, c.bytes + c.zeros);
    trace_event(t, Event::Land, int32_t(v - variables), c.to - v->start, c.bytes + c.zeros, site_of(c.site));
}

extern "C" void emu_async_copy(void* to, const void* from, unsigned size, unsigned zeros, int wait, const void* site) {
    Thread& t = *current;
    if (!t.copies) t.copies = (AsyncCopies*)allocate(sizeof(AsyncCopies));
    if (size) access_range((u64)from, size, Action::Read, site);
    copying.in_flight = true;
    access_range((u64)to, size + zeros, Action::Write, site);
    copying.in_flight = false;
    AsyncCopy& copy = t.copies->open.push();
    copy = {(u64)to, (u64)from, size, zeros, t.copies->group, site};
    races_pend(t, copy.to, size + zeros, site_of(site), wait);
    if (request.copies_at_once) move_bytes(t, copy);
}

extern "C" void emu_async_commit() {
    if (current->copies) current->copies->group++;
}

// Lets the copies of all groups but the newest `prior` land.
static void land_copies(Thread& t, u32 prior) {
    if (!t.copies) return;
    List<AsyncCopy>& open = t.copies->open;
    u64 kept = 0;
    for (u64 i = 0; i < open.count; i++) {
        const AsyncCopy c = open.items[i];
        if (c.group + prior >= t.copies->group) {
            open.items[kept++] = c;
            continue;
        }
        races_land(t, c.to, c.bytes + c.zeros, site_of(c.site));
        if (!request.copies_at_once) move_bytes(t, c);
    }
    open.count = kept;
}

// A thread that ends has not waited for what it leaves open: to others this stays on its way, until the block ends.
static void end_copies(Thread& t) {
    if (!t.copies || request.copies_at_once) return;
    for (u64 i = 0; i < t.copies->open.count; i++) move_bytes(t, t.copies->open.items[i]);
}

static void forget_copies() {
    for (u32 i = 0; i < block.size; i++) {
        AsyncCopies* copies = block.threads[i].copies;
        if (!copies) continue;
        for (u64 k = 0; k < copies->open.count; k++)
            races_forget(copies->open.items[k].to, copies->open.items[k].bytes + copies->open.items[k].zeros);
        copies->open.count = 0;
    }
}

extern "C" void emu_async_wait(unsigned prior, const void* site) {
    current->site = site;
    land_copies(*current, prior);
}
