// A launch without what one kind of memory holds, what other threads left in shared memory, or what shuffles hand over: who
// asks for it finds zeros. Or without the products of matrices, whose first factor is zero. Or without what a
// compare-and-swap stores: it says that it has swapped, so no loop around it goes on, and is then undone. Results that
// are as before did not need it. (What is written stays in memory, and atomics find it: an element is zero only while it
// is read.)
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
    // Of each byte of shared memory, by the block's slot: the number + 1 of its thread that wrote it; or SEVERAL, if an
    // atomic operation did, or another block of the cluster.
    static inline u16** writers;
    static constexpr u16 SEVERAL = 0xffff;

    static void prepare() {
        if (request.withheld == Withheld::HandedOver) writers = allocate_array<u16*>(request.residents);
        if (request.withheld != Withheld::ConstantMemory) return;
        for (u32 i = 0; i < variable_count; i++)
            if (variables[i].space == Space::Constant)
                __builtin_memset((void*)variables[i].start, 0, variables[i].bytes);
    }

    static void begin_block() {
        if (request.withheld != Withheld::HandedOver) return;
        u64 bytes = shared_end - shared_low;
        u16*& mine = writers[block.slot];
        if (!mine) mine = allocate_array<u16>(bytes);
        __builtin_memset(mine, 0, bytes * sizeof(u16));
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
        bool shared = a.at.variable->space == Space::Shared, handed_over = request.withheld == Withheld::HandedOver;
        bool read = shared && a.action == Action::Read;
        bool hidden = read && (handed_over ? !wrote_all(a) : request.withheld == Withheld::SharedMemory);
        if (shared && handed_over && a.action != Action::Read) note_writer(a);
        if (!undone && !hidden) return;
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

    static void matrix_product(u8* a, u32 bytes) {
        if (request.withheld == Withheld::MatrixProducts) __builtin_memset(a, 0, bytes);  // what is added to stays
    }

private:
    static u16* writers_of(const Access& a) {
        return writers[a.at.remote ? remote_slot : block.slot] + (home_of(a.at, a.address) - shared_low);
    }

    static bool wrote_all(Access a) {
        if (a.at.remote) return false;
        for (u32 i = 0; i < a.size; i++)
            if (writers_of(a)[i] != a.thread.linear + 1) return false;
        return true;
    }

    static void note_writer(Access a) {
        u16 writer = a.action == Action::Write && !a.at.remote ? u16(a.thread.linear + 1) : SEVERAL;
        for (u32 i = 0; i < a.size; i++) writers_of(a)[i] = writer;
    }
};
