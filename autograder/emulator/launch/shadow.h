// What an observer remembers of each granule of the arrays.
#pragma once
#include "remote_memory.h"

template <class T> struct Shadow {
    T *in_global, *in_module;  // touched lazily, zero at first
    T** aside;                 // of shared memory, of the blocks that are put aside: by their slots

    void prepare() {
        in_global = (T*)allocate_lazily(granules_of(global_region) * sizeof(T));
        in_module = (T*)allocate_lazily(granules_of(module_region) * sizeof(T));
        aside = allocate_array<T*>(request.residents);
    }
    ALWAYS_INLINE T* of(const Where& w) {
        return UNLIKELY(w.remote) ? aside[remote_slot] : w.region == &module_region ? in_module : in_global;
    }
    void forget() {
        clear_pages(in_global, granules_of(global_region) * sizeof(T));
        clear_pages(in_module, granules_of(module_region) * sizeof(T));
        for (u32 i = 0; i < request.residents; i++) forget_aside(i);
    }
    // That of shared memory, of the block that is put aside or taken up again.
    void save_shared() {
        T*& kept = aside[block.slot];
        if (!kept) kept = allocate_array<T>(shared_granules());
        each_shared(
            [&](u64 granule, u64 at, u64 n) { __builtin_memcpy(kept + at, in_module + granule, n * sizeof(T)); });
    }
    void restore_shared() {
        const T* kept = aside[block.slot];
        each_shared(
            [&](u64 granule, u64 at, u64 n) { __builtin_memcpy(in_module + granule, kept + at, n * sizeof(T)); });
    }
    void forget_shared() {
        each_shared([&](u64 granule, u64, u64 n) { __builtin_memset(in_module + granule, 0, n * sizeof(T)); });
    }
    void forget_aside(u32 slot) {
        if (aside[slot]) __builtin_memset(aside[slot], 0, shared_granules() * sizeof(T));
    }
};
