// What an observer remembers of each shadow word of the arrays.
#pragma once
#include "remote_memory.h"

template <class T> struct Shadow {
    T** of_variable;  // by its number; an index is a shadow word of its region. Touched lazily, zero at first
    T** aside;        // of shared memory, of the blocks that are put aside: by their slots

    // The arrays alone have one: with the gaps between them it would take many gigabytes of address space, and
    // WebAssembly has 16.
    void prepare() {
        u64 all = 0;
        for (u32 i = 0; i < variable_count; i++) all += shadow_words_of(variables[i]);
        u64 next = (u64)allocate_lazily(all * sizeof(T));
        of_variable = allocate_array<T*>(variable_count);
        for (u32 i = 0; i < variable_count; i++) {
            of_variable[i] = (T*)(next - first_shadow_word(variables[i]) * sizeof(T));
            next += shadow_words_of(variables[i]) * sizeof(T);
        }
        aside = allocate_array<T*>(request.residents);
    }
    ALWAYS_INLINE T* of(const Where& w) { return UNLIKELY(w.remote) ? aside[remote_slot] : of_variable[w.id]; }
    T* begin(u32 variable) { return of_variable[variable] + first_shadow_word(variables[variable]); }
    void forget() {
        for (u32 i = 0; i < variable_count; i++) clear(begin(i), shadow_words_of(variables[i]) * sizeof(T));
        for (u32 i = 0; i < request.residents; i++) forget_aside(i);
    }
    // That of shared memory, of the block that is put aside or taken up again.
    void save_shared() {
        T*& stored = aside[block.slot];
        if (!stored) stored = allocate_array<T>(shared_shadow_words());
        each_shared_variable([&](u32 i, u64 at, u64 n) { __builtin_memcpy(stored + at, begin(i), n * sizeof(T)); });
    }
    void restore_shared() {
        const T* stored = aside[block.slot];
        each_shared_variable([&](u32 i, u64 at, u64 n) { __builtin_memcpy(begin(i), stored + at, n * sizeof(T)); });
    }
    void forget_shared() {
        each_shared_variable([&](u32 i, u64, u64 n) { __builtin_memset(begin(i), 0, n * sizeof(T)); });
    }
    void forget_aside(u32 slot) {
        if (aside[slot]) __builtin_memset(aside[slot], 0, shared_shadow_words() * sizeof(T));
    }
};
