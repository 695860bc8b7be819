// Asynchronous copies into shared memory. The bytes land when the thread waits for them, which is as late as may be, or
// where the request says so at once; until the wait nobody, not even the thread itself, may use their place.
#pragma once
#include "time_slices.h"

struct AsyncCopies {  // of a thread: begun and not waited for
    Vector<AsyncCopy> open;
    u32 group;
};
static AsyncCopies* copies_of;  // by the thread's slot
static bool any_copies;         // in this launch

static void prepare_copies() { copies_of = allocate_array<AsyncCopies>(request.residents * block.size); }

static void move_bytes(const Thread& t, const AsyncCopy& c) {
    Observers::settle();
    __builtin_memcpy((void*)c.to, (const void*)c.from, c.bytes);
    __builtin_memset((void*)(c.to + c.bytes), 0, c.zeros);
    Observers::land(location(t, c.site), c.to, u32(c.size()));
}

// The thread has made the accesses that start it.
static void start_copy(Thread& t, AsyncCopy c, Wait wait) {
    any_copies = true;
    AsyncCopies& mine = copies_of[t.slot];
    c.group = mine.group;
    mine.open.push() = c;
    Observers::start_copy(t, c, wait);
    if (request.copies_at_once) move_bytes(t, c);
}

// Lets the copies of all groups but the newest `prior` land.
static void land_copies(Thread& t, u32 prior) {
    AsyncCopies& mine = copies_of[t.slot];
    u64 left = 0;
    for (u64 i = 0; i < mine.open.count; i++) {
        const AsyncCopy c = mine.open.items[i];
        if (c.group + prior >= mine.group) {
            mine.open.items[left++] = c;
            continue;
        }
        Observers::await_copy(t, c);
        if (!request.copies_at_once) move_bytes(t, c);
    }
    mine.open.count = left;
}

// A thread that ends has not waited for what it leaves open: to others this stays on its way, until the block ends.
static void end_copies(const Thread& t) {
    if (LIKELY(!any_copies) || request.copies_at_once) return;
    const AsyncCopies& mine = copies_of[t.slot];
    for (u64 i = 0; i < mine.open.count; i++) move_bytes(t, mine.open.items[i]);
}

static void drop_copies() {
    if (LIKELY(!any_copies)) return;
    for (u32 i = 0; i < block.size; i++) {
        Vector<AsyncCopy>& open = copies_of[block.threads[i].slot].open;
        for (u64 k = 0; k < open.count; k++) Observers::drop_copy(open.items[k]);
        open.count = 0;
    }
}
