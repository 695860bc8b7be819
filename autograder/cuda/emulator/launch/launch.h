// The state of the launch. The runtime is one translation unit (main.cpp), has no C++ library beneath it, and runs one
// launch in a process of its own.
#pragma once
#include "allocate.h"
#include "inlined/cached_access.h"
#include "protocol.h"
#include "thread.h"

static Request request;
static const CodeRange* ignored;  // request.n_ignored of them
static Kernel kernel;
static File trace_file;  // which the reader shares; empty: no trace is wanted, and no record (observers/ablations.h)
static Block block;
static Thread* current;  // null: the runtime itself runs

// The fast path only tells whether a launch is clean, and leaves every other to the full check, see fast_path.h.
static ALWAYS_INLINE bool is_fast_path() { return request.fast_path; }
static ALWAYS_INLINE bool only_counts() { return request.only_counts; }

static const u64* chosen_blocks;  // numbers of those that run, if not all do
static u64 block_count() { return request.grid[0] * request.grid[1] * request.grid[2]; }
static u64 blocks_to_run() { return request.n_chosen ? request.n_chosen : block_count(); }
static u64 block_to_run(u64 i) { return request.n_chosen ? chosen_blocks[i] : i; }

static const ChildUse* child_uses;  // request.n_child_uses of them, by what the launch's threads have launched

static u64 nobody_reads;
static u64* blocks_begun = &nobody_reads;  // how far the launch is, for who waits for it

// The address of an instruction as findings have it.
static u32 site_of(const void* return_address) { return u32((u64)return_address - kernel.base); }
static bool in_kernel(const void* site) { return (u64)site - kernel.base < request.module_image; }

// ---- time slices ------------------------------------------------------------------------------------
// Accesses after which another thread gets a time slice, so that one which spins sees what it waits for.
constexpr u32 TIME_SLICE = 20000;
static u32 slice = TIME_SLICE;  // of this launch
static u32 slice_left;
static u32 slice_cut;  // accesses that this time slice will not have

// Of the thread that runs, since its last barrier.
static u64 steps_of(const Thread& t) { return t.steps + (slice - slice_left - slice_cut); }

// ---- what the kernel's own code sees --------------------------------------------------------------
// The kernel finds it right before its window, and in WebAssembly, which has none, by this name.
#ifdef __wasm__
extern Running running __asm__("emu_running");
Running running;
#else
static Running& running = *(Running*)(WINDOW - RUNNING_BEFORE);
#endif
static RequestSlot nowhere = {0, NEVER, 0, 0, 0};  // the next one of a lane of which nothing is known

// Room for what is known of the accesses of `warps` warps: nothing yet.
static void prepare_running(u32 warps) {
    u64 cursors = 32ull * warps * kernel.accesses;
    running.cache = allocate_array<CachedAccess>(warps * kernel.accesses);
    LaneCursor* first = allocate_array<LaneCursor>(cursors);
    for (u64 i = 0; i < cursors; i++) first[i].next = &nowhere;
    running.cursors = (u64)first - WINDOW;
}
