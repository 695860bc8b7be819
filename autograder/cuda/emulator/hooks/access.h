// The way of an access, before it happens: where it goes, whether it may, and who is told.
#pragma once
#include "scheduling/blocks.h"

static void access_atomically(u64 address, u32 size, int scope, Part part, const void* site);  // see calls.h
static void check_heap_access(u64 address, u64 size, const void* site);                        // see device_heap.h

static void end_slice(Thread& t, const void* site) {
    static u64 extra_seen;
    t.site = site;
    total_steps += slice - slice_cut;
    block_steps += slice - slice_cut + Observers::extra_steps() - extra_seen;
    extra_seen = Observers::extra_steps();
    bool too_many = steps_of(t) > request.max_thread_steps || block_steps > request.max_block_steps;
    if (too_many && patient && t.watch.polls)
        stop_spinning(t);  // nothing has changed for long, steps of its own included
    if (too_many || too_many_steps()) stop_limit(Limit::Steps, site);
    yield_to_runtime();
}

// The second wall, of what the runtime writes by a pointer of the kernel's: whatever the first has let through.
static ALWAYS_INLINE void must_be_in_window(const void* to, u64 size) {
    if (UNLIKELY(!kernel_may_write(to, size))) quit(Status::Fault);
}

static bool in_stack(const Thread& t, u64 address, u64 size) {
    return address - t.stack_low < STACK_BYTES && size <= STACK_BYTES - (address - t.stack_low);
}

// Strings and tables. Nobody may read the module's code, or the tables by which it is linked.
static bool is_constant(u64 address, u64 size) {
    u64 low = kernel.base + request.module_constants[0], high = kernel.base + request.module_constants[1];
    return address >= low && address < high && size <= high - address;
}

static ALWAYS_INLINE void access_stack(Thread& t, u64 address, u64 size, Action action, const void* site) {
    if (Observers::access_stack(t, address, size, action, site)) return;
    if (address < lowest_variable()) stop_out_of_bounds(address, size, action, site, nullptr);
}

static ALWAYS_INLINE void access_on_fast_path(const Access& a) {
    Observers::issue(a);
    Observers::access(a);
}

static ALWAYS_INLINE void make_access(const Access& a) {
    Observers::issue(a);
    if (LIKELY(!copying.in_flight)) constrain_access(a.thread, a.site);
    polls_globally |= a.action == Action::Atomic && a.at.region == &global_region;
    watch_access(a.thread, a.address, a.action);
    Observers::access(a);
}

// In the shared memory of another block of the cluster.
static __attribute__((noinline)) void access_remotely(Thread& t, u64 address, u32 size, Action action,
                                                      const void* site) {
    if (copying.in_flight) stop_crash("remote copy", site);
    constrain_access(t, site);
    u32 slot = slot_of(address);
    if (slot == block.slot) stop_crash("own memory from afar", site);
    if (slot / cluster_size() != block.slot / cluster_size())
        stop_out_of_bounds(address, size, action, site, nullptr);  // as wild as any other address
    Where w = find_remote(address, size);
    if (!w.variable) stop_out_of_remote_bounds(address, size, action, site);
    if (address % (size < 16 ? size : 16) && (size & (size - 1)) == 0) stop_misaligned(address, size, action, site, w);
    watch_access(t, address, action);
    const Access a = {t, w, address, size, action, site, NO_NUMBER, false};
    Observers::access_remotely(a);
    Observers::access(a);
}

static __attribute__((noinline)) void access(u64 address, u32 size, Action action, const void* site,
                                             u32 number = NO_NUMBER) {
    Thread* t = current;
    if (UNLIKELY(!t)) quit(Status::Fault);  // no thread runs: nobody may go anywhere
    if (UNLIKELY(t->relaxed_at) && address == t->relaxed_at && action != Action::Atomic) {
        t->relaxed_at = 0;
        bool reads = action == Action::Read;
        return access_atomically(address, size, SCOPE_DEVICE, reads ? Part::Loads : Part::Stores, site);
    }
    if (!copying.begun) Observers::settle();
    if (UNLIKELY(!--slice_left)) {
        if (!copying.begun) end_slice(*t, site);
        else slice_left = 1, t->steps++;
    }
    Where w;
    if (LIKELY(address - global_region.low < global_region.size)) w.region = &global_region;
    else if (LIKELY(address - module_region.low < module_region.size)) w.region = &module_region;
    else if (in_stack(*t, address, size)) return access_stack(*t, address, size, action, site);
    else if (action == Action::Read && is_constant(address, size)) return;
    else if (is_in_slots(address)) return access_remotely(*t, address, size, action, site);
    else {
        Observers::access_nowhere(address, size, action, site);
        stop_out_of_bounds(address, size, action, site, nullptr);
    }
    w.variable = find_variable(*w.region, address, size);
    if (UNLIKELY(!w.variable)) stop_out_of_bounds(address, size, action, site, w.region);
    w.id = u32(w.variable - variables);
    if (UNLIKELY(w.variable->heap)) check_heap_access(address, size, site);
    if (UNLIKELY(address % (size < 16 ? size : 16) && (size & (size - 1)) == 0))
        stop_misaligned(address, size, action, site, w);
    if (UNLIKELY(action != Action::Read && w.variable->read_only)) stop_read_only(address, action, site, w);
    if (UNLIKELY(action != Action::Read && w.variable->held)) answer.writes_held = true;
    if (w.variable->space == Space::Constant)  // it has a cache of its own
        return Observers::read_constant(Access{*t, w, address, size, action, site, number, false});
    // Two of them, so that what the full check does with one does not keep the other in memory.
    if (LIKELY(is_fast_path())) access_on_fast_path({*t, w, address, size, action, site, number, copying.in_flight});
    else make_access({*t, w, address, size, action, site, number, copying.in_flight});
}

// How many bytes from there on the thread that runs may read.
static u64 readable_from(u64 address) {
    if (const Variable* v = find_array(address, 1).variable) return v->start + v->bytes - address;
    if (in_stack(*current, address, 1) && address >= lowest_variable())
        return current->stack_low + STACK_BYTES - address;
    return is_constant(address, 1) ? kernel.base + request.module_constants[1] - address : 0;
}

// Of one element, which most accesses are.
static ALWAYS_INLINE void access_one(u64 address, u32 size, Action action, const void* site, u32 number = NO_NUMBER) {
    if (address - current_stack <= STACK_BYTES - size && LIKELY(slice_left > 1)) {
        slice_left--;
        if (Observers::access_stack(*current, address, size, action, site)) return;
    }
    if (number != NO_NUMBER && LIKELY(slice_left > 1) &&
        LIKELY(Observers::goes_on_as_before(*current, number, address, size, action))) {
        slice_left--;
        return;
    }
    access(address, size, action, site, number);
}

// A struct that is copied: as the hardware does it, in the widest pieces that its size and its declared alignment allow.
static void access_pieces(u64 address, u64 size, u64 align, Action action, const void* site) {
    if (current && in_stack(*current, address, size)) return access_stack(*current, address, size, action, site);
    u64 piece = size & -size, widest = align < 16 ? align : 16;
    if (piece > widest) piece = widest;
    if (size > 16 && piece < 4) piece = 1;
    while (address % piece) piece /= 2;
    copying.address = address, copying.size = size;
    for (u64 at = 0; at < size; at += piece) {
        access(address + at, u32(piece), action, site);
        copying.begun = true;
    }
    copying.begun = false, copying.size = 0;
}

static void access_range(u64 address, u64 size, Action action, const void* site) {
    access_pieces(address, size, 16, action, site);
}

// Whether the thread may go there at all, without an access. The guard returns to `here`. The prelude was called at
// `called`; null: it is the text's own function, which accesses only its own variables and constants so. In an array, an
// atomic has been told of; anything else there is an access, such as that of an object that a text says is there.
static void guard(u64 address, u64 size, Action action, const void* here, const void* called) {
    const Thread* t = current;
    if (!t) quit(Status::Fault);
    const void* site = called ? called : here;
    if (in_stack(*t, address, size)) {
        if (address < lowest_variable()) stop_out_of_bounds(address, size, action, site, nullptr);
        return;
    }
    if (action == Action::Read && is_constant(address, size)) return;
    Where w = find_array(address, size);
    if (called && w.variable) {
        u64 into = address - t->atomic_at;
        bool is_announced = into < t->atomic_bytes && size <= t->atomic_bytes - into;
        if (!is_announced) access_range(address, size, action, site);
        else if (action == Action::Write && w.variable->read_only) stop_read_only(address, action, site, w);
        return;
    }
    u64 at = address - (u64)&t->exchange;
    bool given = called && at < sizeof t->exchange && size <= sizeof t->exchange - at;
    if (action == Action::Write || !given) stop_out_of_bounds(address, size, action, site, nullptr);
}
