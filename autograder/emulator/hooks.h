// What the compiled kernel calls before each of its loads and stores: the functions that the
// compiler's ThreadSanitizer pass emits, and its array-bounds check.
#pragma once
#include "locals.h"
#include "scheduler.h"

static struct {
    u64 from, to;
} copy_align = {16, 16};  // of the next copy, as far as it is declared

// Of all blocks together while no barrier opens and no thread ends: as many as this many may make each by itself.
constexpr u64 MAX_BLOCKS_STEPS = 3;

static void next_turn(Thread& t, const void* site) {
    t.site = site;
    total_steps += turn - turn_cut;
    block_steps += turn - turn_cut;
    bool too_many = steps_of(t) > request.max_thread_steps || block_steps > request.max_block_steps;
    if (too_many && patient && t.watch.asks)
        stop_spinning(t);  // nothing has changed for long, steps of its own included
    if (too_many || accesses_made - got_on_at > MAX_BLOCKS_STEPS * request.max_block_steps)
        stop_limit(Limit::Steps, site);
    yield_to_runtime();
}

// A write into the thread's own stack must spare each frame's saved frame pointer and return address.
static ALWAYS_INLINE void keep_frames(const Thread& t, u64 address, u64 size, const void* site) {
    for (u64 frame = *(u64*)__builtin_frame_address(0); frame - t.stack_low < STACK_BYTES - 16; frame = *(u64*)frame)
        if (address < frame + 16 && address + size > frame)
            stop_out_of_bounds(address, size, Action::Write, site, nullptr);
}

constexpr u32 NO_NUMBER = RECENT_LIMIT;  // of an access that is told of without one

static __attribute__((noinline)) void access(u64 address, u32 size, Action action, const void* site,
                                             u32 number = NO_NUMBER) {
    Thread* t = current;
    if (UNLIKELY(!t)) return;
    if (UNLIKELY(unsettled_count)) races_settle();
    if (UNLIKELY(words_written.count) && !copying.begun) foreign_settle();
    if (UNLIKELY(!--turn_left)) {
        if (!copying.begun) next_turn(*t, site);
        else turn_left = 1, t->steps++;
    }
    Where w;
    if (LIKELY(address - global_region.low < global_region.size)) w.region = &global_region;
    else if (LIKELY(address - module_region.low < module_region.size)) w.region = &module_region;
    else if (address - t->stack_low < STACK_BYTES) {
        if (!local_access(*t, address, size, action, site) && action != Action::Read)
            keep_frames(*t, address, size, site);
        return;
    } else if (action == Action::Read && address - module_base < request.module_image) return;  // constants
    else if (is_foreign(address)) stop_foreign(address, size, action, site);
    else stop_out_of_bounds(address, size, action, site, nullptr);
    w.variable = find_variable(*w.region, address, size);
    if (UNLIKELY(!w.variable)) stop_out_of_bounds(address, size, action, site, w.region);
    w.id = u32(w.variable - variables);
    if (UNLIKELY(address % (size < 16 ? size : 16) && (size & (size - 1)) == 0))
        stop_misaligned(address, size, action, site, w);
    if (UNLIKELY(action != Action::Read && w.variable->read_only)) stop_read_only(address, action, site, w);
    if (w.variable->space == Space::Constant)
        return void(counts.constant_loads++);  // from a cache of its own: no traffic
    SiteLog* log = counts_access(*t, w, address, size, action, site_of(site));
    if (LIKELY(request.quick)) {
        quick_access(w, address, size, action);
        bool valued = only_counts() || !w.variable->without_values || action != Action::Read;
        if (number != NO_NUMBER && valued) remember(*t, number, w, size, log);
        return;
    }
    if (LIKELY(!copying.in_flight)) hold_access(*t, site);
    watch_access(*t, address, action);
    initialization_access(*t, w, address, size, action, site_of(site));
    races_access(*t, w, address, size, action, site_of(site));
    if (!copying.begun) trace_settle();
    if (w.variable->space != Space::Shared) foreign_access(address, size, action);
    if (LIKELY(!copying.in_flight))
        trace_event(*t, Event(action), int32_t(w.id), address - w.variable->start, size, site_of(site));
}

static ALWAYS_INLINE void access_one(u64 address, u32 size, Action action, const void* site, u32 number = NO_NUMBER) {
    if (address - own_stack < STACK_BYTES && LIKELY(turn_left > 1)) {
        turn_left--;
        if (local_access(*current, address, size, action, site)) return;
    }
    if (number != NO_NUMBER && LIKELY(turn_left > 1) && LIKELY(as_recently(current, number, address, size, action))) {
        turn_left--;
        return;
    }
    access(address, size, action, site, number);
}

// A struct that is copied: as the hardware does it, in the widest pieces that its size and its declared
// alignment allow.
static void access_pieces(u64 address, u64 size, u64 align, Action action, const void* site) {
    if (current && address - current->stack_low < STACK_BYTES) {
        if (!local_access(*current, address, size, action, site) && action != Action::Read)
            keep_frames(*current, address, size, site);
        return;
    }
    u64 piece = size & -size;
    if (piece > align) piece = align;
    if (size > 16 && piece < 4) piece = 1;
    while (address % piece) piece /= 2;
    copying.piece = true;
    for (u64 at = 0; at < size; at += piece) {
        access(address + at, u32(piece), action, site);
        copying.begun = true;
    }
    copying.piece = copying.begun = false;
}

static void access_range(u64 address, u64 size, Action action, const void* site) {
    access_pieces(address, size, 16, action, site);
}

static void misaligned_copy(u64 address, u64 align, u64 size, Action action, const void* site) {
    Where w;
    w.region = address - module_region.low < module_region.size ? &module_region : &global_region;
    if (address - w.region->low >= w.region->size) return;  // the copy itself will tell
    w.variable = find_variable(*w.region, address, size);
    if (!w.variable) return;
    w.id = u32(w.variable - variables);
    stop_misaligned(address, align, action, site, w);
}

// What inline_hooks.cpp calls: emu_told_read4(number, address) and its like. They keep all registers but r11, so
// that the kernel need not, which has its sums in those of floating point.
// clang-format off
#define EACH_XMM(each)                                                                            \
    each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8) each(9) each(10) each(11) each(12) each(13) each(14) each(15)
#define SAVE_XMM(n) "movups %xmm" #n ", 16*" #n "(%rsp)\n"
#define LOAD_XMM(n) "movups 16*" #n "(%rsp), %xmm" #n "\n"
#define TOLD(name)                                                                                \
    asm(".globl emu_told_" #name "\nemu_told_" #name ":\n"                                       \
        "push %rbp\nmov %rsp, %rbp\n"                                                            \
        "push %rax\npush %rcx\npush %rdx\npush %rsi\npush %rdi\npush %r8\npush %r9\npush %r10\n" \
        "sub $256, %rsp\n" EACH_XMM(SAVE_XMM)                                                     \
        "mov 8(%rbp), %rdx\ncall told_" #name "\n" EACH_XMM(LOAD_XMM) "add $256, %rsp\n"         \
        "pop %r10\npop %r9\npop %r8\npop %rdi\npop %rsi\npop %rdx\npop %rcx\npop %rax\npop %rbp\nret\n");
#define TOLD_OF(size)                                                                             \
    extern "C" __attribute__((used, visibility("hidden"))) void told_read##size(u32 number, u64 address, const void* site) { \
        access_one(address, size, Action::Read, site, number);                                    \
    }                                                                                             \
    extern "C" __attribute__((used, visibility("hidden"))) void told_write##size(u32 number, u64 address, const void* site) { \
        access_one(address, size, Action::Write, site, number);                                   \
    }                                                                                             \
    TOLD(read##size) TOLD(write##size)
TOLD_OF(4) TOLD_OF(8) TOLD_OF(16)
// clang-format on

// clang-format off
#define SITE __builtin_return_address(0)
#define HOOK(size)                                                                                \
    void __tsan_read##size(void* p) { access_one((u64)p, size, Action::Read, SITE); }                 \
    void __tsan_write##size(void* p) { access_one((u64)p, size, Action::Write, SITE); }               \
    void __tsan_unaligned_read##size(void* p) { access_range((u64)p, size, Action::Read, SITE); } \
    void __tsan_unaligned_write##size(void* p) { access_range((u64)p, size, Action::Write, SITE); }
extern "C" {
HOOK(1) HOOK(2) HOOK(4) HOOK(8) HOOK(16)
        // clang-format on
        void __tsan_init() {}
    void* __tsan_memcpy(void* to, const void* from, size_t n) {
        auto align = copy_align;
        copy_align = {16, 16};
        if (n)
            access_pieces((u64)from, n, align.from, Action::Read, SITE),
                access_pieces((u64)to, n, align.to, Action::Write, SITE);
        return __builtin_memmove(to, from, n);
    }
    void* __tsan_memmove(void* to, const void* from, size_t n) {
        if (n) access_range((u64)from, n, Action::Read, SITE), access_range((u64)to, n, Action::Write, SITE);
        return __builtin_memmove(to, from, n);
    }
    void* __tsan_memset(void* to, int value, size_t n) {
        if (n) access_range((u64)to, n, Action::Write, SITE);
        return __builtin_memset(to, value, n);
    }

    void __tsan_read_range(void* p, u64 n) { access_range((u64)p, n, Action::Read, SITE); }
    void __tsan_write_range(void* p, u64 n) { access_range((u64)p, n, Action::Write, SITE); }
    void __tsan_vptr_update(void** p, void*) { access((u64)p, 8, Action::Write, SITE); }
    void __tsan_vptr_read(void** p) {
        access((u64)p, 8, Action::Read, SITE);
        // The call that follows goes wherever the table says, so the table must be one that the compiler made: in the
        // module, and not in its variables. Asked last: access() may let another thread run.
        u64 table = (u64)*p - module_base;
        if (current && (table >= request.module_image ||
                        table - request.module_data[0] < request.module_data[1] - request.module_data[0]))
            stop_crash("call of a function that is none", SITE);
    }

    void emu_atomic(const void* p, unsigned size, int scope, const void* site) {
        current->atomic_scope = u8(scope);
        if (request.quick && scope != SCOPE_DEVICE && (u64)p - global_region.low < global_region.size)
            leave_to_thorough();
        access((u64)p, size, Action::Atomic, site);
        if (request.quick) {
            if (size == 8 && is_shared(*(const u64*)p)) leave_to_thorough();  // see foreign.h
            return;
        }
        asks_others |= (u64)p - global_region.low < global_region.size;
        order_acquire(block, *current, (u64)p, scope);
        order_release(block, *current, (u64)p, scope);
    }
    void emu_compare_and_swap() { counts.compare_and_swaps++; }
    void emu_atomic_load(const void* p, unsigned size, int scope, const void* site) {
        if (request.quick) leave_to_thorough();
        current->atomic_scope = u8(scope);
        current->atomic_part = Part::Loads;
        access((u64)p, size, Action::Atomic, site);
        current->atomic_part = Part::Both;
        asks_others |= (u64)p - global_region.low < global_region.size;
        order_acquire(block, *current, (u64)p, scope);
    }
    void emu_atomic_exchange(const void* p, unsigned size, int scope, const void* site) {
        current->atomic_part = Part::Stores;
        emu_atomic(p, size, scope, site);
        current->atomic_part = Part::Both;
    }
    void emu_atomic_store(const void* p, unsigned size, int scope, const void* site) {
        if (request.quick) leave_to_thorough();
        emu_atomic_exchange(p, size, scope, site);
    }

    // Stands before a struct's copy, see passes/copies.py.
    void emu_check_copy(const void* to, u64 to_align, const void* from, u64 from_align, u64 size) {
        if ((u64)from % from_align) misaligned_copy((u64)from, from_align, size, Action::Read, SITE);
        if ((u64)to % to_align) misaligned_copy((u64)to, to_align, size, Action::Write, SITE);
        copy_align = {from_align < 16 ? from_align : 16, to_align < 16 ? to_align : 16};
    }

    // Emitted for an access outside a variable of known size through a pointer to it.
    void __ubsan_handle_local_out_of_bounds_abort() {
        if (current) stop_out_of_bounds(current->stack_low, 0, Action::Read, SITE, nullptr);
        __builtin_trap();
    }

    // Emitted for an index outside an array of known size, before the access.
    struct UbsanType {
        u16 kind, info;
        char name[];
    };
    struct UbsanOutOfBounds {
        const char* file;
        u32 line, column;
        const UbsanType *array, *index;
    };
    void __ubsan_handle_out_of_bounds(UbsanOutOfBounds * where, u64 index) {
        if (!current) return;
        // The index's type says how wide it is and whether it has a sign (bit 0 of info).
        u32 bits = 1u << (where->index->info >> 1);
        int64_t value = bits >= 64               ? (int64_t)index
                        : where->index->info & 1 ? (int64_t)(index << (64 - bits)) >> (64 - bits)
                                                 : (int64_t)(index & ((1ull << bits) - 1));
        stop(IndexOutOfBounds{where->line, where->column, value, where->array->name, location(*current, SITE)});
    }
}
