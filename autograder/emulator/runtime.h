// The runtime's shared vocabulary: one launch, its blocks, warps and threads, and what the
// observers are told. The runtime is one translation unit (main.cpp includes the rest), has no
// C++ library beneath it, and runs one launch in a process of its own.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "protocol.h"
#include "types.h"

// ---- shared with prelude.h ------------------------------------------------------------------
struct EmuIndex {
    unsigned x, y, z;
};
struct EmuThreadIndex {
    EmuIndex thread, block;
};
struct EmuLaunchShape {
    EmuIndex grid, block;
};
struct EmuExchange {
    unsigned long long value[32];
    unsigned lanes;
    unsigned self;
};

// ---- how a process ends ---------------------------------------------------------------------
[[noreturn]] void end_process(Status);
[[noreturn]] void refuse(const char* why);
[[noreturn]] void finish();  // sends the result

// ---- threads, warps, blocks -----------------------------------------------------------------
enum class State : u8 { Ready, Barrier, Warp, Gather, Grid, Held, Exited };

// Whether a thread goes round at a few places whose values stay, see progress.h.
constexpr u32 WATCHED_PLACES = 32;
struct Watch {
    u64 address[WATCHED_PLACES], value[WATCHED_PLACES];
    u64 asked;     // the place of its last read or atomic
    u32 accesses;  // since `fresh` was 0
    u32 fresh;     // of them: another place, or another value
    bool atomic;   // there was one among them
    bool spins;
    bool asks;   // and does so by atomics
    bool waits;  // it has told so itself
    bool idle;   // no access since its block was taken up
};
// Of a read and a write, what an atomic does. What it exchanges it reads, too, but who gives a place its first value
// so, and never looks at the old one, reads nothing that matters.
enum class Part : u8 { Both, Loads, Stores };
struct AsyncCopies;
struct Locals;
struct Known;  // what a thread has learnt through fences and atomics, see order.h

struct alignas(64) Thread {
    // What a turn and a barrier need, in one line of the cache.
    void* stack_pointer;
    u64 stack_low;
    const void* site;  // where it waits, or was last seen
    u64 steps;         // accesses since the last barrier, before this turn
    u32 linear, warp, lane;
    u32 mask;  // of the warp operation that it waits in
    int predicate;
    State state;
    u8 atomic_scope;       // of the atomic that is under way
    Part atomic_part;      // what it does of the two
    const char* function;  // the shuffle or vote that it waits in; null: a __syncwarp
    u64 value;
    EmuThreadIndex index;
    EmuExchange exchange;
    u32 accesses;      // of memory that the trace shows, in the whole launch
    u32 clock;         // grows at each __syncwarp and each fence
    u32 seen[32];      // lane l's accesses with clock < seen[l] come before mine
    Known* known;      // acquired from others
    Known* heard[2];   // what its atomics have read, by scope: acquired at its next fence or barrier
    Known* fenced[2];  // what a later atomic of mine releases, by scope; null: nothing
    bool fresh[2];     // that is of a fence since the last barrier
    Watch watch;
    Locals* locals;       // its arrays, see locals.h; null: none ever
    AsyncCopies* copies;  // begun and not waited for, see async.h; null: none ever
};

struct Block {
    u32 linear;    // in the grid
    u32 interval;  // barriers passed
    u32 size, warps;
    u32 exited;
    u32 waiting;      // at a barrier
    u32 first_stack;  // its threads' stacks follow each other
    EmuIndex index;
    Known* known;  // acquired by any of its threads before its last barrier
    Thread* threads;
    struct {
        u64 now, step;
        u64 asked_at;  // steps of the thread that asked last
        const Thread* asker;
    } clock;
};

// ---- a place in memory ----------------------------------------------------------------------
struct Region;
struct Where {
    Region* region;
    const Variable* variable;
    u32 id;       // of the variable
    u64 granule;  // 4-byte cell of the region
};
