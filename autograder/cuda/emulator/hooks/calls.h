// What the prelude calls: CUDA's functions that concern more than the thread itself.
#pragma once
#include "access.h"

// What a shuffle gives that has no value: which one, the request says. The last two are large in every type.
constexpr u64 UNDEFINED[UNDEFINED_VALUES] = {~0ull, 0x7b7b7b7b7b7b7b7b, 0xfb7b7b7bfb7b7b7b};

// An atomic that is about to happen.
static void access_atomically(u64 address, u32 size, int scope, Part part, const void* site) {
    current->atomic_scope = u8(scope);
    current->atomic_part = part;
    current->atomic_at = address;
    current->atomic_bytes = size;
    if (!current->atomic_element) current->atomic_element = u8(size);
    access(address, size, Action::Atomic, site);
    current->atomic_element = 0;
    Observers::after_atomic(*current, address);
}

// Whether the launch goes without the synchronization call that returns to `site`.
static ALWAYS_INLINE bool is_ignored(const void* site) {
    if (LIKELY(!request.n_ignored) || !site) return false;
    u32 call = site_of(site) - 1;
    for (u64 i = 0; i < request.n_ignored; i++)
        if (call >= ignored[i].first && call < ignored[i].end) return true;
    return false;
}

#pragma GCC visibility push(default)  // kernels call these
extern "C" {
// ---- barriers and warps
void emu_barrier(const void* site) {
    if (!is_ignored(site)) wait_at_barrier(State::Barrier, 1, site);
}
void emu_grid_barrier(const void* site) {
    if (!request.cooperative) stop_crash("grid barrier", site);
    if (!is_ignored(site)) wait_at_barrier(State::Grid, 1, site);
}
// For the grid that its stream has before this one; and to let the one after it begin.
void emu_grid_wait() {
    if (request.programmatic) Observers::await_earlier_grid(*current);
}
void emu_grid_trigger() { answer.lets_begin = true; }
void emu_cluster_barrier(const void* site) {
    if (is_ignored(site)) return;
    if (!is_back()) arrive_at_cluster(Arrival::Whole, site);
    wait_for_cluster(site);
}
void emu_cluster_arrive(const void* site) { arrive_by_half(site); }
void emu_cluster_wait(const void* site) { wait_by_half(site); }
void* emu_cluster_map(const void* p, unsigned rank, const void* site) {
    u64 address = (u64)p;
    if (rank >= cluster_size()) stop_crash("cluster rank", site);
    if (is_in_slots(address)) address = home_of(address);
    if (address - shared_low >= shared_end - shared_low) stop_crash("cluster address", site);
    u32 slot = block.slot / cluster_size() * cluster_size() + rank;
    return (void*)(slot == block.slot ? address : in_slot(slot, address));
}
unsigned emu_cluster_rank_of(const void* p, const void* site) {
    if (is_in_slots((u64)p)) return slot_of((u64)p) % cluster_size();
    if ((u64)p - shared_low >= shared_end - shared_low) stop_crash("cluster address", site);
    return block.slot % cluster_size();
}
int emu_barrier_reduce(int predicate, int* all, const void* site) {
    if (!wait_at_barrier(State::Barrier, predicate, site)) return 0;
    Observers::warp_operation(*current, "__syncthreads_count");  // it tells all of the others, too
    must_be_in_window(all, sizeof *all);
    *all = block.predicate_all;
    return block.predicate_sum;
}
// `count` threads; 0: as many as the block has.
void emu_named_sync(unsigned number, unsigned count, const void* site) {
    if (!number && (!count || count == block.size)) return emu_barrier(site);
    if (!comes_back() && come_to_named_barrier(number, count, true, site) && leave_to_runtime()) return;
    go_past_named_barrier();
}
void emu_named_arrive(unsigned number, unsigned count, const void* site) {
    come_to_named_barrier(number, count, false, site);
}
void emu_warp_barrier(unsigned mask, const void* site) {
    if (!is_ignored(site) && !comes_back()) come_to_warp(mask, nullptr, 0, site) && leave_to_runtime();
}
const EmuExchange* emu_warp_exchange(unsigned mask, unsigned long long value, const void* site, const char* function) {
    if (!comes_back() && come_to_warp(mask, function, value, site)) leave_to_runtime();
    return &current->exchange;
}
unsigned emu_active_mask(const void* site) {
    if (!comes_back()) {
        Observers::warp_operation(*current, "__activemask");  // which tells each lane of the others, as a vote does
        wait_for_active_lanes(site);
    }
    return current->mask;
}
unsigned long long emu_value_of_nobody(unsigned lane, const void* site) {
    Observers::undefined_value(*current, lane, site);
    return UNDEFINED[request.undefined];
}

// Stand around calls that lead to where threads meet, see call_paths.py.
// A function that calls itself begins, with `bytes` for its variables, or ends. `once`: of all such functions; that
// much a GPU's compiler knows of.
void emu_recursion(int bytes, int once) {
    current->recursed += bytes;
    if (bytes > 0 && current->recursed - once > i64(request.stack)) stop_crash("recursion", CALL_SITE);
}
void emu_call_begin() { begin_call(*current, CALL_SITE); }
void emu_call_end() { end_call(*current); }

// ---- atomics and fences
void emu_atomic(const void* p, unsigned size, int scope, const void* site) {
    access_atomically((u64)p, size, scope, Part::Both, site);
}
void emu_atomic_load(const void* p, unsigned size, int scope, const void* site) {
    access_atomically((u64)p, size, scope, Part::Loads, site);
}
void emu_atomic_store(const void* p, unsigned size, int scope, const void* site) {
    access_atomically((u64)p, size, scope, Part::Stores, site);
}
void emu_atomic_exchange(const void* p, unsigned size, int scope, const void* site) {
    access_atomically((u64)p, size, scope, Part::Stores, site);
}
void emu_atomic_elements(unsigned bytes) { current->atomic_element = u8(bytes); }
// The next access, which is volatile and a library's, counts as PTX has it, see library_volatiles.py: but only in global
// memory, since what a library does wrong in shared memory may be the fault of the text that calls it.
void emu_relaxed(const void* p) { current->relaxed_at = (u64)p - global_region.low < global_region.size ? (u64)p : 0; }
void emu_compare_and_swap() { Observers::compare_and_swap(); }
void emu_load_read_only(const void* p, unsigned size) { Observers::load_read_only(*current, (u64)p, size, CALL_SITE); }
void emu_fence(int scope, const void* site) {
    if (!is_ignored(site)) Observers::fence(*current, scope);
}
void emu_sleep(const void* site) {
    if (comes_back()) return;
    make_step(*current, site);
    leave_to_runtime();
}
void emu_release(const void* address, int scope) { Observers::release(*current, (u64)address, scope); }
void emu_acquire(const void* address, int scope) {
    end_spin(*current);
    Observers::acquire(*current, (u64)address, scope);
}
void emu_pass_barrier(const void* address, int scope) {
    Observers::pass_barrier();
    emu_acquire(address, scope);
}
void emu_spin(const void* address, const void* site) {
    if (comes_back()) return;
    current->site = site;
    watch_spin(*current, (u64)address);
    leave_to_runtime();
}

// ---- asynchronous copies
// Of 4, 8 or 16 bytes, the hardware copies only such as begin at a multiple of as many.
static void check_alignment_of_copy(u64 address, u64 bytes, Action action, const void* site) {
    if (address % bytes) stop_misaligned(address, bytes, action, site, find_array(address, 1));
}
void emu_async_copy(void* to, const void* from, unsigned size, unsigned zeros, int wait, const void* site) {
    // It lands later, when whatever is on the stack may have gone.
    if (in_stack(*current, (u64)to, 1) || in_stack(*current, (u64)from, 1)) stop_crash("copy of a local", site);
    u64 bytes = u64(size) + zeros;
    if (size) {
        access_range((u64)from, size, Action::Read, site);
        check_alignment_of_copy((u64)from, bytes, Action::Read, site);
    }
    copying.in_flight = true;
    access_range((u64)to, bytes, Action::Write, site);
    check_alignment_of_copy((u64)to, bytes, Action::Write, site);
    copying.in_flight = false;
    must_be_in_window(to, bytes);
    start_copy(*current, {(u64)to, (u64)from, size, zeros, 0, site}, Wait(wait));
}
void emu_async_commit() { copies_of[current->slot].group++; }
void emu_async_wait(unsigned prior, const void* site) {
    current->site = site;
    land_copies(*current, prior);
}

// ---- the rest
// The clock never goes back. While a thread does nothing but read it, it runs faster and faster, so that a wait by the
// clock is soon over.
long long emu_clock() {
    auto& clock = block.clock;
    u64 steps = steps_of(*current);
    bool again = clock.asker == current && clock.last_read_at == steps;
    clock = {clock.now, again && clock.step < 1ull << 40 ? 2 * clock.step : 32, steps, current};
    return (long long)(clock.now += clock.step);
}
void emu_trap(const char* reason, const void* site) { stop(Trap{reason, location_of_current(site)}); }
void emu_misuse(const char* what, const void* site) { stop_crash(what, site); }
}
#pragma GCC visibility pop
