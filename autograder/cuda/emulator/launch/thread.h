// Threads and blocks, as far as running them needs; what is judged of them is kept by the observers.
#pragma once
#include "allocate.h"

// ---- shared with prelude.h ------------------------------------------------------------------------
struct EmuIndex {
    unsigned x, y, z;
};
struct EmuThreadIndex {
    EmuIndex thread, block;
};
struct EmuLaunchShape {
    EmuIndex grid, block;
    EmuIndex cluster;  // in blocks
};
struct EmuExchange {
    unsigned long long value[32];
    unsigned lanes;
    unsigned self;
};
enum { SCOPE_BLOCK = 0, SCOPE_DEVICE = 1 };

// ---- threads ----------------------------------------------------------------------------------------
constexpr u32 MAX_THREADS = 1024;  // of a block
constexpr u32 WARPGROUP = 128;     // threads

enum class State : u8 { Ready, Barrier, Warp, Warpgroup, Named, Gather, Grid, Cluster, Held, Exited };

// Whether a thread has arrived at the barrier of its cluster: in the first half of a barrier in two, or at a whole one.
enum class Arrival : u8 { None, Half, Whole };

// Whether a thread keeps rereading a few addresses whose values do not change, see progress.h.
constexpr u32 WATCHED_ADDRESSES = 32;
struct Watch {
    u64 address[WATCHED_ADDRESSES], value[WATCHED_ADDRESSES];
    u64 polled;    // the address of its last read or atomic
    u32 accesses;  // since `fresh` was 0
    u32 fresh;     // of them: another address, or another value
    u32 expected;  // arrivals in the phase whose end it waits for; 0: it waits for something else
    u32 missing;   // of them
    i32 bytes;     // missing there, too
    u32 phase;     // the phases before it
    u64 barrier;   // and whose it is; 0: nobody's
    bool unready;  // the barrier that it waits at was never initialized
    bool atomic;   // there was one among them
    bool spins;
    bool polls;  // and does so by atomics
    bool waits;  // it has said so itself
    bool idle;   // no access since its block was taken up
};

// Which half of a read and a write an atomic is. An exchange reads, too, but a thread that gives an element its first
// value so, and never looks at the old one, reads nothing that matters.
enum class Part : u8 { Both, Loads, Stores };

struct alignas(64) Thread {
    // What a time slice and a barrier need, in one cache line.
    void* stack_pointer;  // null: it has not begun, and has no stack yet
    u64 stack_low;
    const void* site;  // where it waits, or was last seen
    u64 steps;         // accesses since the last barrier, before this time slice
    u32 linear, warp, lane;
    u32 mask;  // of the warp operation that it waits in
    i32 predicate;
    State state;
    u8 atomic_scope;       // of its latest atomic
    Part atomic_part;      // what that does of the two
    u8 atomic_element;     // bytes that it changes at once; before it: 0, or fewer than all, see emu_atomic_elements
    const char* function;  // the shuffle, vote or product that it waits in; null: a __syncwarp
    u64 value;
    u64 met_at;  // how many of its steps came before its warp last met, or a barrier
    EmuThreadIndex index;
    EmuExchange exchange;
    u64 atomic_at;      // of its latest atomic, as is
    u32 atomic_bytes;   // this
    u64 relaxed_at;     // where its next access is a relaxed atomic, see emu_relaxed; 0: nowhere
    u32 slot;           // among the threads of all blocks that may be alive at once
    u32 stack;          // the number of its stack
    u32 accesses;       // of memory that the trace shows, in the whole launch
    Vector<u32> calls;  // that it is in, as far as they are told of: see scheduling/call_paths.h
    i32 recursed;       // bytes of its stack that recursion takes, on a GPU
    u32 phase;          // of its cluster, when it arrived there
    u32 named_phase;    // of the barrier with a number at which it was last: that number, and one bit of the phase
    Arrival arrival;
    bool begun;                  // of one that returns where it waits: it has, and its loops are
    u64 loop_hash;               // as this says
    u32 launch_error;            // of the last of its launches that failed; 0: none has since it was asked for
    const u8* launch_arguments;  // of the launch that it is about to make
    u64 launch_bytes;            // of them
    Watch watch;
};

// The copy of a struct of which an access is a piece.
static struct {
    u64 address, size;  // of the struct; size 0: none is copied
    bool has_gaps;      // its padding, or members of a union, may stay without a value
    bool begun;         // the access is not the first piece: no time slice ends here
    bool in_flight;     // the copy is asynchronous, and has only been started
} copying;

// ---- blocks -----------------------------------------------------------------------------------------
constexpr u32 MAX_CLUSTER = 8;  // blocks
struct Block;

struct Cluster {
    u32 slot;                    // among those that may be alive at once; its blocks have neighboring ones, by rank
    u32 phase;                   // how often its barrier has opened
    u32 started, ended;          // blocks
    Block* blocks[MAX_CLUSTER];  // by rank, as they were when they were put aside or ended
};

struct Block {
    u32 linear;    // in the grid
    u32 interval;  // barriers passed
    u32 size, warps;
    u32 exited;
    u32 waiting;                       // at a barrier
    i32 predicate_sum, predicate_all;  // over the threads at the last one
    u32 slot;                          // among the blocks that may be alive at once
    EmuIndex index;
    Thread* threads;
    Cluster* cluster;  // null: the launch is not clustered
    u32 arrived;       // threads that are at the barrier of the cluster, or past its first half
    u32 at_cluster;    // threads that wait there
    bool whole;        // all of them, at a whole one
    struct {
        u64 now, step;
        u64 last_read_at;  // steps of the thread that asked last
        const Thread* asker;
    } clock;
};

static u32 live_lanes(const Block& b, u32 warp) {
    u32 lanes = 0;
    for (u32 lane = 0; lane < 32 && warp * 32 + lane < b.size; lane++)
        if (b.threads[warp * 32 + lane].state != State::Exited) lanes |= 1u << lane;
    return lanes;
}
