// The blocks of a thorough run. They run one after another, but a block that waits for the others (at
// a barrier of the grid, or spinning) is put aside with its shared memory, and the next one starts.
#pragma once
#include "findings.h"

struct Resident {
    Block block;
    Halt halt;
    u8* shared;    // what its shared memory held
    u64* written;  // and which of its bytes were written, see observers/initialization.h
    Cell* cells;   // and who used them, where it was put aside between two barriers
    List<EarlyRead> early;
    List<UsesAside> uses;
};
static List<Resident*> waiting;  // put aside, in the order in which they get on
static List<Resident*> unused;
static u64 blocks_ended, stacks_opened;

static u64 shared_granules() {
    u64 n = 0;
    for (u32 i = 0; i < variable_count; i++)
        if (variables[i].space == Space::Shared) n += variables[i].bytes / 4 + 1;
    return n;
}

// Calls `each(granule of the module, position in a Resident's copies, granules)` for all shared arrays.
template <class F> static void each_shared(F each) {
    u64 at = 0;
    for (u32 i = 0; i < variable_count; i++) {
        const Variable& v = variables[i];
        if (v.space != Space::Shared) continue;
        u64 n = v.bytes / 4 + 1;
        each((v.start - module_region.low) / 4, at, n);
        at += n;
    }
}

static void put_aside(Resident& r, Halt halt) {
    counts_flush();
    busiest_put_aside(r.uses);
    r.block = block;
    r.halt = halt;
    if (!r.shared) {
        u64 n = shared_granules();
        r.shared = (u8*)allocate(n * 4);
        r.written = allocate_array<u64>(n);
        r.cells = allocate_array<Cell>(n);
    }
    each_shared([&](u64 granule, u64 at, u64 n) {
        __builtin_memcpy(r.shared + at * 4, (void*)(module_region.low + granule * 4), n * 4);
        __builtin_memcpy(r.written + at, module_region.written + granule, n * sizeof(u64));
        __builtin_memcpy(r.cells + at, module_region.cells + granule, n * sizeof(Cell));
        __builtin_memset(module_region.cells + granule, 0, n * sizeof(Cell));
    });
    for (u64 i = 0; i < early_reads.count; i++) early_reads.items[i].cell->early_read = 0;
    List<EarlyRead> empty;
    r.early = early_reads;
    early_reads = empty;
}

static void take_up(const Resident& r) {
    block = r.block;
    busiest_take_up(r.uses);
    each_shared([&](u64 granule, u64 at, u64 n) {
        __builtin_memcpy((void*)(module_region.low + granule * 4), r.shared + at * 4, n * 4);
        __builtin_memcpy(module_region.written + granule, r.written + at, n * sizeof(u64));
        __builtin_memcpy(module_region.cells + granule, r.cells + at, n * sizeof(Cell));
    });
    early_reads = r.early;
    for (u64 i = 0; i < early_reads.count; i++) early_reads.items[i].cell->early_read = u32(i + 1);
    block_steps = 0;
    for (u32 i = 0; i < block.size; i++) {
        block.threads[i].watch.spins = false;
        block.threads[i].watch.idle = true;
    }
}

// Every access before a barrier of the grid comes before every access after it: the cells start anew.
static void forget_accesses(Region& r) {
    u64 bytes = (r.size / 4 + 2) * sizeof(Cell);
    mmap(r.cells, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

[[noreturn]] static void stop_grid_divergence() {
    // One waiting thread for each place, of the blocks that wait.
    List<Waiting> sites;
    for (u64 i = 0; i < waiting.count; i++) {
        u64 same = 0;
        bool first = true;
        const void* site = waiting.items[i]->block.threads[0].site;
        for (u64 j = 0; j < waiting.count; j++) {
            if (waiting.items[j]->block.threads[0].site != site) continue;
            same += block.size;
            if (j < i) first = false;
        }
        if (!first) continue;
        block = waiting.items[i]->block;
        sites.push() = waiting_at(same, block.threads[0]);
    }
    u64 threads = request.grid[0] * request.grid[1] * request.grid[2] * block.size;
    stop_divergence(true, threads, blocks_ended * block.size, sites);
}

static void open_grid_barrier() {
    const void* site = waiting.items[0]->block.threads[0].site;
    bool one_site = true;
    for (u64 i = 0; i < waiting.count; i++) one_site &= waiting.items[i]->block.threads[0].site == site;
    if (blocks_ended || !one_site) stop_grid_divergence();
    forget_accesses(global_region);
    forget_accesses(module_region);
    for (u64 i = 0; i < waiting.count; i++) {
        Resident& r = *waiting.items[i];
        r.halt = Halt::Stuck;  // it may go on
        r.block.waiting = 0;
        for (u32 k = 0; k < r.block.size; k++) r.block.threads[k].state = State::Ready;
        if (r.cells) __builtin_memset(r.cells, 0, shared_granules() * sizeof(Cell));
    }
}

static Resident& room_for_block() {
    if (unused.count) return *unused.items[--unused.count];
    Resident& r = *(Resident*)allocate(sizeof(Resident));
    r.block.size = block.size;
    r.block.warps = block.warps;
    r.block.threads = allocate_array<Thread>(block.size);
    r.block.first_stack = u32(stacks_opened);
    fibers_open(r.block.first_stack, block.size);
    stacks_opened += block.size;
    return r;
}

static void go_on(Resident& r) {
    Halt halt = run_block();
    if (halt == Halt::Ended) {
        blocks_ended++;
        unused.push() = &r;
    } else {
        put_aside(r, halt);
        waiting.push() = &r;
    }
}

static Resident& next_waiting(u64 i) {
    Resident& r = *waiting.items[i];
    for (u64 k = i + 1; k < waiting.count; k++) waiting.items[k - 1] = waiting.items[k];
    waiting.count--;
    return r;
}

// Whether a block that goes round in circles comes out of them, given time.
static bool goes_on_alone() {
    u64 i = 0, change = changes;
    while (waiting.items[i]->halt == Halt::Grid) i++;
    Resident& r = next_waiting(i);
    take_up(r);
    patient = true;
    go_on(r);
    patient = false;
    return change != changes || waiting.items[waiting.count - 1]->halt != Halt::Stuck;
}

static void run_grid() {
    u64 blocks = request.grid[0] * request.grid[1] * request.grid[2], started = 0;
    while (started < blocks || waiting.count) {
        bool held_no_more = waiting.count && waiting.items[waiting.count - 1]->halt == Halt::Held && !held;
        if (started < blocks && waiting.count < request.residents && !held_no_more) {
            Resident& r = room_for_block();
            block = r.block;
            start_block(scheduled_block(started++, blocks));
            go_on(r);
            continue;
        }
        // All that fit are here: each that may goes on once.
        u64 change = changes;
        bool one_may = false;
        for (u64 i = 0, n = waiting.count; i < n; i++) {
            Resident& r = next_waiting(0);
            if (r.halt == Halt::Grid || (r.halt == Halt::Held && held)) {
                waiting.push() = &r;
                continue;
            }
            take_up(r);
            go_on(r);
            one_may = true;
        }
        if (change != changes || !waiting.count) continue;
        if (one_may && waiting.count > 1 && accesses_made - changed_at < patience()) continue;
        if (held) {
            release_held();
            continue;
        }
        bool all_at_barrier = true;
        for (u64 i = 0; i < waiting.count; i++) all_at_barrier &= waiting.items[i]->halt == Halt::Grid;
        if (all_at_barrier) open_grid_barrier();
        else if (!goes_on_alone()) stop_spinning_block();
    }
}
