// The blocks of the fast path, spread over processes: each takes the next block that nobody has taken. They share the
// arrays and see nothing else of each other; what each has seen, its observers leave for the first.
#pragma once
#include "launch.h"

struct Control {
    u64 next_block;
    u32 abandoned, finished;
};
static Control* control;  // null: the full check
static u32 worker;        // the number of this process

[[noreturn]] static void leave_to_full_check() {
    __atomic_store_n(&control->abandoned, 1, __ATOMIC_RELEASE);
    quit(Status::FullCheck);
}

static void* allocate_shared(u64 bytes) {
    void* at = map_shared_pages(bytes);
    if (!at) refuse("no memory for the workers");
    return at;
}

// One T for each worker, which all of them see: zeroed, touched lazily.
template <class T> static T* allocate_by_worker() {
    if (request.workers <= 1) return (T*)allocate_lazily(sizeof(T));
    return (T*)allocate_shared(request.workers * sizeof(T));
}

// Before the sandbox closes, since that lets no process start another.
static void start_workers() {
    control = (Control*)allocate_shared(sizeof(Control));
    worker = start_processes(request.workers);
}

static bool next_block(u64& taken) {
    if (__atomic_load_n(&control->abandoned, __ATOMIC_ACQUIRE)) quit(Status::FullCheck);
    taken = __atomic_fetch_add(&control->next_block, 1, __ATOMIC_RELAXED);
    if (taken >= blocks_to_run()) return false;
    *blocks_begun = taken;
    taken = block_to_run(taken);
    return true;
}

// All blocks are taken, and this worker's have ended. The first waits for the others; only it returns.
static void finish_worker() {
    __atomic_fetch_add(&control->finished, 1, __ATOMIC_RELEASE);
    if (worker) quit(Status::Sent);
    while (__atomic_load_n(&control->finished, __ATOMIC_ACQUIRE) < request.workers) {
        if (__atomic_load_n(&control->abandoned, __ATOMIC_ACQUIRE)) leave_to_full_check();
        pause_briefly();
    }
}
