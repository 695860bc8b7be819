// A launch without what one kind of memory holds, or what shuffles hand over: who asks for it finds zeros. Or without what a
// compare-and-swap stores: it says that it has swapped, so no loop around it goes on, and is then undone. Results that are
// as before did not need it. (What is written stays in memory, and atomics find it: an element is zero only while it is
// read.)
#pragma once
#include "observer.h"

struct Withholding : Observer {
    struct Kept {
        u64 address;
        u32 size;
        u8 bytes[16];
    };
    static inline Vector<Kept> kept;  // of what is being read, or swapped
    static inline bool swaps;         // the next atomic operation does

    static void prepare() {
        if (request.withheld != Withheld::ConstantMemory) return;
        for (u32 i = 0; i < variable_count; i++)
            if (variables[i].space == Space::Constant)
                __builtin_memset((void*)variables[i].start, 0, variables[i].bytes);
    }

    static ALWAYS_INLINE void settle() {
        for (u64 i = 0; i < kept.count; i++) {
            const Kept& k = kept.items[i];
            __builtin_memcpy((void*)k.address, k.bytes, k.size);
        }
        kept.count = 0;
    }

    static ALWAYS_INLINE void access(const Access& a) {
        if (LIKELY(request.withheld == Withheld::Nothing)) return;
        bool undone = swaps && a.action == Action::Atomic && request.withheld == Withheld::CompareAndSwap;
        if (a.action == Action::Atomic) swaps = false;
        bool hidden = a.action == Action::Read && a.at.variable->space == Space::Shared;
        if (!undone && !(hidden && request.withheld == Withheld::SharedMemory)) return;
        Kept& k = kept.push();
        k.address = a.address;
        k.size = a.size;
        __builtin_memcpy(k.bytes, (const void*)a.address, a.size);
        if (!undone) __builtin_memset((void*)a.address, 0, a.size);
    }

    static void compare_and_swap() { swaps = true; }

    static void warp_operation(const Thread&, const char* function) {
        if (request.withheld == Withheld::Shuffles && function && __builtin_strstr(function, "shfl"))
            current->value = 0;
    }
};
