// What the compiled kernel calls before its loads and stores: the functions that the compiler's ThreadSanitizer pass
// emits, and those of inlined/inline_hooks.cpp.
#pragma once
#include "access.h"

static struct {
    u64 from, to;
} copy_align = {16, 16};  // of the next copy, as far as it is declared

static void check_alignment(u64 address, u64 align, u64 size, Action action, const void* site) {
    if (address % align == 0) return;
    Where w = find_array(address, size);
    if (w.variable) stop_misaligned(address, align, action, site, w);  // else the copy itself will tell
}

#pragma GCC visibility push(default)  // kernels call these
extern "C" {
// clang-format off
// An access with a number, see platform/linux/calls.h.
#define NUMBERED_ACCESSES(size)                                                                                                          \
    __attribute__((used, visibility("hidden"))) void numbered_read##size(u32 number, u64 address, const void* site) {              \
        access_one(address, size, Action::Read, site, number);                                                                 \
    }                                                                                                                          \
    __attribute__((used, visibility("hidden"))) void numbered_write##size(u32 number, u64 address, const void* site) {             \
        access_one(address, size, Action::Write, site, number);                                                                \
    }
NUMBERED_ACCESSES(4) NUMBERED_ACCESSES(8) NUMBERED_ACCESSES(16)

#define HOOK(size)                                                                                \
    void __tsan_read##size(void* p) { access_one((u64)p, size, Action::Read, CALL_SITE); }             \
    void __tsan_write##size(void* p) { access_one((u64)p, size, Action::Write, CALL_SITE); }           \
    void __tsan_unaligned_read##size(void* p) { access_range((u64)p, size, Action::Read, CALL_SITE); } \
    void __tsan_unaligned_write##size(void* p) { access_range((u64)p, size, Action::Write, CALL_SITE); }
HOOK(1) HOOK(2) HOOK(4) HOOK(8) HOOK(16)
    // clang-format on

    void __tsan_init() {
}

void* __tsan_memcpy(void* to, const void* from, u64 n) {
    auto align = copy_align;
    copy_align = {16, 16};
    if (n)
        access_pieces((u64)from, n, align.from, Action::Read, CALL_SITE),
            access_pieces((u64)to, n, align.to, Action::Write, CALL_SITE);
    copying.has_gaps = false;
    must_be_in_window(to, n);
    return __builtin_memmove(to, from, n);
}
void* __tsan_memmove(void* to, const void* from, u64 n) {
    if (n) access_range((u64)from, n, Action::Read, CALL_SITE), access_range((u64)to, n, Action::Write, CALL_SITE);
    must_be_in_window(to, n);
    return __builtin_memmove(to, from, n);
}
void* __tsan_memset(void* to, int value, u64 n) {
    if (n) access_range((u64)to, n, Action::Write, CALL_SITE);
    must_be_in_window(to, n);
    return __builtin_memset(to, value, n);
}
void __tsan_read_range(void* p, u64 n) { access_range((u64)p, n, Action::Read, CALL_SITE); }
void __tsan_write_range(void* p, u64 n) { access_range((u64)p, n, Action::Write, CALL_SITE); }

// Stands before a struct's copy, see cuda/compiler/passes/copies.py.
void emu_check_copy(const void* to, u64 to_align, const void* from, u64 from_align, u64 size, unsigned gaps) {
    copying.has_gaps = gaps;
    check_alignment((u64)from, from_align, size, Action::Read, CALL_SITE);
    check_alignment((u64)to, to_align, size, Action::Write, CALL_SITE);
    copy_align = {from_align < 16 ? from_align : 16, to_align < 16 ? to_align : 16};
}

// Stand before accesses of the prelude's own functions, see guards.py and `guard`: nobody may go
// where the kernel may not. `site`: where the prelude was called; null: where it is.
void emu_may_read(const void* p, u64 size, const void* site) { guard((u64)p, size, Action::Read, CALL_SITE, site); }
void emu_may_write(void* p, u64 size, const void* site) { guard((u64)p, size, Action::Write, CALL_SITE, site); }

// Where a thread's own array begins and ends, see local_arrays.py.
void emu_local_begin(void* start, unsigned long bytes, const char* name) {
    stop_if_overflown(CALL_SITE);
    if (!in_stack(*current, (u64)start, bytes))
        stop_out_of_bounds((u64)start, bytes, Action::Write, CALL_SITE, nullptr);
    if (UNLIKELY(request.uninitialized_fill)) fill_uninitialized(start, bytes);
    Observers::begin_local(*current, start, bytes, name);
}
void emu_local_end(void* start, unsigned long) { Observers::end_local(*current, start); }

// Before a use of a thread's own variable that may not be set, see unset_variables.py.
void emu_local_use(unsigned set, const char* name) {
    if (UNLIKELY(!set)) Observers::use_unset(*current, name, CALL_SITE);
}

// In a build for a debugger, see steps.py.
void emu_step_line(unsigned line) { Observers::step(*current, Event::Line, line, CALL_SITE); }
void emu_step_enter(unsigned function) { Observers::step(*current, Event::Enter, function, CALL_SITE); }
void emu_step_leave(unsigned function) { Observers::step(*current, Event::Leave, function, CALL_SITE); }
void emu_step_declare(void* start, unsigned long bytes, unsigned variable, unsigned is_set) {
    if (!in_stack(*current, (u64)start, bytes))
        stop_out_of_bounds((u64)start, bytes, Action::Write, CALL_SITE, nullptr);
    Observers::declare(*current, (u64)start, bytes, variable, is_set, CALL_SITE);
}
}
#pragma GCC visibility pop
