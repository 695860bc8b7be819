// Asynchronous copies into shared memory. The bytes land when the thread waits for them; until then
// nobody, not even the thread itself, may use their place.
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

extern "C" void emu_async_copy(void* to, const void* from, unsigned size, unsigned zeros, const void* site) {
    Thread& t = *current;
    if (!t.copies) t.copies = (AsyncCopies*)allocate(sizeof(AsyncCopies));
    if (size) access_range((u64)from, size, Action::Read, site);
    access_range((u64)to, size + zeros, Action::Write, site);
    t.copies->open.push() = {(u64)to, (u64)from, size, zeros, t.copies->group, site};
    races_pend(t, (u64)to, size + zeros, site_of(site));
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
        __builtin_memcpy((void*)c.to, (const void*)c.from, c.bytes);
        __builtin_memset((void*)(c.to + c.bytes), 0, c.zeros);
    }
    open.count = kept;
}

// A thread that ends leaves nothing on its way.
static void end_copies(Thread& t) {
    if (!t.copies) return;
    t.copies->group++;
    land_copies(t, 0);
}

extern "C" void emu_async_wait(unsigned prior, const void* site) {
    current->site = site;
    land_copies(*current, prior);
}
