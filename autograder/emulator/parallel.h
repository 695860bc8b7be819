// The blocks of a quick run, spread over processes: each takes the next block that nobody has taken.
// All share the arrays and see nothing else of each other; what they did to the arrays is compared
// at the end, and if two of them met anywhere, the launch is left to the thorough run.
#pragma once
#include "observers/busiest.h"
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

struct Control {
    u64 next_block;
    u32 abandoned, finished;
    Counted counts[MAX_WORKERS];
    Busiest busiest[MAX_WORKERS];
    u32 sites[MAX_WORKERS];
    SiteTraffic traffic[MAX_WORKERS][SITE_LIMIT];
};
static Control* control;
static u32 worker;
static u8* uses_of_all;  // each worker's uses of the arena, one after the other

[[noreturn]] static void leave_to_thorough() {
    __atomic_store_n(&control->abandoned, 1, __ATOMIC_RELEASE);
    end_process(Status::Thorough);
}

static u8* uses_of_worker(u32 i, u64 bytes) { return uses_of_all + i * ((bytes + 4095) & ~4095ull); }

// Before the sandbox closes, since it lets no process start another.
static void start_workers(u64 bytes_each) {
    constexpr int RW = PROT_READ | PROT_WRITE, SHARED = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
    control = (Control*)mmap(nullptr, sizeof(Control), RW, SHARED, -1, 0);
    uses_of_all = (u8*)mmap(nullptr, request.workers * ((bytes_each + 4095) & ~4095ull), RW, SHARED, -1, 0);
    if (control == MAP_FAILED || uses_of_all == MAP_FAILED) refuse("no memory for the workers");
    pid_t parent = getpid();
    for (u32 i = 1; i < request.workers; i++) {
        pid_t child = fork();
        if (child < 0) {  // fewer, then
            request.workers = i;
            return;
        }
        if (child) continue;
        worker = i;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(0);
        return;
    }
}

static bool next_block(u64 blocks, u64& taken) {
    if (__atomic_load_n(&control->abandoned, __ATOMIC_ACQUIRE)) end_process(Status::Thorough);
    taken = __atomic_fetch_add(&control->next_block, 1, __ATOMIC_RELAXED);
    return taken < blocks;
}
