// What the compiler's array-bounds checks call (UBSan's).
#pragma once
#include "launch/stop.h"

struct UbsanType {
    u16 kind, info;
    char name[];
};
struct UbsanOutOfBounds {
    const char* file;
    u32 line, column;
    const UbsanType *array, *index;
};

#pragma GCC visibility push(default)  // kernels call these
extern "C" {
// For an access outside a variable of known size through a pointer to it.
void __ubsan_handle_local_out_of_bounds_abort() {
    const void* site = CALL_SITE;
    if (current) stop_out_of_bounds(current->stack_low, 0, Action::Read, site, nullptr);
    __builtin_trap();
}

// For an index outside an array of known size, before the access.
void __ubsan_handle_out_of_bounds(UbsanOutOfBounds* where, u64 index) {
    const void* site = CALL_SITE;
    if (!current) quit(Status::Fault);
    // The index's type says how wide it is and whether it has a sign (bit 0 of info).
    u32 bits = 1u << (where->index->info >> 1);
    i64 value = bits >= 64               ? i64(index)
                : where->index->info & 1 ? i64(index << (64 - bits)) >> (64 - bits)
                                         : i64(index & ((1ull << bits) - 1));
    stop(IndexOutOfBounds{where->line, where->column, value, where->array->name, location(*current, site)});
}
}
#pragma GCC visibility pop
