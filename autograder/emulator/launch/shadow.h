// What an observer remembers of each granule of the arrays.
#pragma once
#include "memory.h"

template <class T> struct Shadow {
    T *in_global, *in_module;  // touched lazily, zero at first

    void prepare() {
        in_global = (T*)allocate_lazily(granules_of(global_region) * sizeof(T));
        in_module = (T*)allocate_lazily(granules_of(module_region) * sizeof(T));
    }
    ALWAYS_INLINE T* of(const Region& r) { return &r == &module_region ? in_module : in_global; }
    void forget() {
        clear_pages(in_global, granules_of(global_region) * sizeof(T));
        clear_pages(in_module, granules_of(module_region) * sizeof(T));
    }
    // That of shared memory, of a block that is put aside and taken up again.
    void save_shared(T*& kept) const {
        if (!kept) kept = allocate_array<T>(shared_granules());
        each_shared(
            [&](u64 granule, u64 at, u64 n) { __builtin_memcpy(kept + at, in_module + granule, n * sizeof(T)); });
    }
    void restore_shared(const T* kept) {
        each_shared(
            [&](u64 granule, u64 at, u64 n) { __builtin_memcpy(in_module + granule, kept + at, n * sizeof(T)); });
    }
    void forget_shared() {
        each_shared([&](u64 granule, u64, u64 n) { __builtin_memset(in_module + granule, 0, n * sizeof(T)); });
    }
};
