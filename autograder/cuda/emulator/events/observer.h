// The events that the core reports to its observers; dispatch.h dispatches them. Each file in observers/, and in the
// folders that other packages register (compiler/observer_list.py), defines one observer, named after the file.
#pragma once
#include "launch/remote_memory.h"

// One of the threads that carry out bulk copies and products, beside those of the blocks: of all copies that complete at one
// mbarrier, of one thread's bulk groups, or of the products of a warpgroup, one after the other. To happens-before, each of
// these is an interval of a block, which is none of the grid's.
struct CopyEngine {
    u32 block, interval;
};
static Vector<Wait> waits_of_engines;  // what a thread waits for their copies by
[[maybe_unused]] static bool is_engine(u32 of_block) { return of_block >= block_count(); }
static CopyEngine make_engine(Wait wait) {
    waits_of_engines.push() = wait;
    return {u32(block_count() + waits_of_engines.count - 1), 0};
}

// An access of an array, before it happens. Observers inline what takes one by reference, and else
// take it by value: so its parts stay in registers.
struct Access {
    Thread& thread;
    Where at;
    u64 address;
    u32 size;
    Action action;
    const void* site;
    u32 number;                          // of the instruction, see inlined/cached_access.h; or NO_NUMBER
    bool starts_copy;                    // writes what an asynchronous copy brings, which comes later
    const CopyEngine* engine = nullptr;  // makes it, for the thread: all the bytes of a bulk copy that are in a row
    u32 starters = 1;                    // threads that let the engine make it together: this one, and those after it
    bool is_map = false;                 // reads what a tensor map says
};
constexpr u32 NO_NUMBER = MAX_NUMBERED_ACCESSES;

// An asynchronous copy into shared memory.
struct AsyncCopy {
    u64 to, from;
    u32 bytes, zeros, group;
    const void* site;
    u64 size() const { return bytes + zeros; }
};

// How the fast path (observers/fast_path.h) treats a launch in which an observer may find something. Every observer must
// choose, because no full check follows a launch that the fast path accepts.
enum class OnFastPath {
    TakesPart,  // the observer runs there, too, and calls leave_to_full_check() if there may be something to find
    Covered,    // FastPath refuses such a launch, or cuda/backends/emulator.py doesn't let it take the fast path
    Forbidden,  // the fast path is off: every launch that is checked gets the full check, whatever its kernel does
};

// An observer defines those of these events that it needs. It keeps its state of a thread by Thread::slot, of a block by
// Block::slot, and of memory in a Shadow.
struct Observer {
    static constexpr bool in_full_check = true;
    static constexpr int turn = 0;  // observers receive an event in this order; equal ones in that of their names

    // ---- the launch
    static void prepare() {}               // the arrays are known; before the workers start
    static void start_worker() {}          // in each process of the fast path; in the only process of the full check
    static void finish_workers() {}        // in the first worker: all have ended
    static void join_worker(u32 other) {}  // in it, for each other one
    static void finish() {}                // the end of every launch, good or bad
    static void fill_answer() {}           // its part of `answer`, see launch/stop.h

    // ---- blocks and threads
    static void begin_block() {}
    static void end_block() {}
    static void put_block_aside() {}  // another block goes on; perhaps between two barriers
    static void take_block_up() {}
    static void begin_slice(const Thread& t) {}
    static void begin_next_slice(const Thread& t) {}  // of the thread after the last, in the same barrier interval
    static void settle() {}                           // what the running thread has written is in memory now
    static void end_thread(const Thread& t) {}
    static void end_pass(u32 warp) {}  // its lanes have all had a time slice

    // ---- accesses
    static void issue(const Access& a) {}            // its warp makes it; the thread may be held back before it happens
    static void access(const Access& a) {}           // it happens now
    static void access_remotely(const Access& a) {}  // the next one is of another block's shared memory; not issued
    static void read_constant(const Access& a) {}
    static void load_read_only(const Thread& t, u64 address, u32 size, const void* site) {}  // by that cache; before it
    // Whether an access with a number needs no further look.
    static bool goes_on_as_before(const Thread& t, u32 number, u64 address, u32 size, Action action) { return false; }
    // The same, of an access of the thread's own stack.
    static bool access_stack(Thread& t, u64 address, u64 size, Action action, const void* site) { return false; }
    // Outside of all memory: an observer that knows better than the core stops the launch.
    static void access_nowhere(u64 address, u64 size, Action action, const void* site) {}
    static void begin_local(Thread& t, void* start, u64 bytes, const char* name) {}
    static void end_local(Thread& t, void* start) {}
    static void use_unset(Thread& t, const char* name, const void* site) {}
    // In a build for a debugger: the thread begins a line, or enters or leaves a function; and it declares a variable,
    // which has a value already or not.
    static void step(const Thread& t, Event event, u32 what, const void* site) {}
    static void declare(const Thread& t, u64 start, u64 bytes, u32 what, bool is_set, const void* site) {}
    // A block of the kernels' heap, which others may have had before; whether it holds values.
    static void begin_heap_block(u64 address, u64 bytes, bool has_values) {}

    // How many accesses more the work on those so far was worth.
    static u64 extra_steps() { return 0; }

    // ---- order
    // A thread begins to wait: at a barrier of its block (not a named one), of the grid or of its cluster; and it goes on
    // (reported in the full check only).
    static void wait_at_barrier(const Thread& t, const void* site) {}
    static void leave_barrier(const Thread& t, const void* site) {}
    static void pass_barrier() {
    }  // one that is an object in memory: a cuda::barrier, or that of a tile of several warps
    static void open_barrier() {}  // all threads of the block are there
    static void open_grid_barrier() {}
    static void await_earlier_grid(Thread& t) {}
    // A cluster's barrier. Whole (`cluster.sync()`): wait_at_barrier in each thread; open_barrier once all threads of a
    // block are there; open_cluster_barrier when all blocks are. In halves: arrive_at_cluster in each thread, and at its
    // second half go_past_cluster if all have arrived, else wait_at_barrier, open_cluster_barrier and leave_barrier.
    static void arrive_at_cluster(Thread& t) {}            // the first half; not reported by a whole barrier
    static void open_cluster_barrier(const Cluster& c) {}  // all threads have arrived; no block runs
    static void go_past_cluster(Thread& t) {}              // the second half, which needed no wait
    static void warp_operation(const Thread& t, const char* function) {}  // null: a __syncwarp
    static void synchronize_warp(u32 warp, u32 lanes) {}
    static void matrix_product(u8* a, u32 bytes) {}  // the running lane's part of the first factor, before it counts
    static void undefined_value(const Thread& t, u32 lane, const void* site) {}  // a shuffle asks a lane without part
    static void after_atomic(Thread& t, u64 address) {}                          // that is, after its `access`
    static void compare_and_swap() {}
    static void fence(Thread& t, int scope) {}
    static void release(Thread& t, u64 address, int scope) {}
    static void acquire(Thread& t, u64 address, int scope) {}

    static void launch_child(Thread& t) {}  // a launch, or a copy in a stream

    // ---- registers of warpgroups' products, see scheduling/warpgroups.h
    static void fence_registers(const Thread& t) {}  // `wgmma.fence`
    // A register, at this address of the thread's stack, of the next product's sums (`reads`: it adds to them) or of its
    // first factor; and when nobody uses it any more.
    static void take_register(Thread& t, u64 address, bool reads, const void* site) {}
    static void give_register(Thread& t, u64 address) {}
    static void lend_register(const Thread& t, u64 address, const void* site) {}
    static void return_register(const Thread& t, u64 address) {}

    // ---- asynchronous copies
    static void start_copy(const Thread& t, const AsyncCopy& c, Wait wait) {}
    static void land(const Location& starter, u64 to, u32 size) {}  // the bytes are there now
    static void await_copy(Thread& t, const AsyncCopy& c) {}
    static void drop_copy(const AsyncCopy& c) {}  // the block ended before anybody waited

    // ---- bulk copies, see scheduling/bulk_copies.h
    // `t` is about to start the accesses that an engine makes; of global memory, `bytes`.
    static void start_bulk_copy(Thread& t, const CopyEngine& e, Space space, Action action, u64 bytes,
                                const void* site) {}
    static void complete_at_mbarrier(const CopyEngine& e, u64 address) {}  // all so far, in the phase at `address`
    static void await_bulk_copies(Thread& t, const CopyEngine& e) {}       // all so far
    static void leave_bulk_copy(const Location& starter, u64 shared, Action action) {}  // its block ends before it
    static void fence_maps(Thread& t, bool acquires) {}              // the same, of tensor maps: a fence of each side
    static void fence_proxy(Thread& t, bool shared, bool global) {}  // the engines see what is written so far
};
