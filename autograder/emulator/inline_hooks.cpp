// What stands before each load and store of 4, 8 or 16 bytes in the compiled kernel: it lets through what
// goes on as it went before, and tells the runtime of all else; and so of all in a thorough run, in which nothing is known.
//
// The kernel's own code must never hold what is the runtime's: a function of the kernel keeps the registers of
// its caller on its stack, and may write there. So all of it is volatile, and read anew at each access, from where GS
// points.
//
// With ONLY_COUNTS it is for kernels of which nobody asks what else they do, see quick.h.
#include "uses.h"

#define INLINED static inline __attribute__((always_inline))
#define CALLED __attribute__((preserve_all, noinline, noduplicate))

#define RUNNING ((const volatile Running __attribute__((address_space(256)))*)0)

// Of a Use's words: that the thread reads there changes nothing, since many threads of the block have since its last
// barrier, and nobody wrote; or many blocks have.
INLINED bool read_by_many(const volatile Use& use, u64 many) {
    u64 reader = use.reader;
    return reader == many || reader == ANY_BLOCK;
}

template <unsigned size> INLINED bool all_read_by_many(const volatile Recent& r, u64 many, u64 address) {
    const volatile Use* use = (const volatile Use*)(r.uses + 4 * address);
    if (!read_by_many(use[0], many) || (size >= 8 && !read_by_many(use[1], many))) return false;
    return size < 16 || (read_by_many(use[2], many) && read_by_many(use[3], many));
}

template <unsigned size, Action action> CALLED static bool all_fine(const Recent& r, u64 me, u64 address) {
    Use* use = (Use*)(r.uses + 4 * address);
    for (unsigned i = 0; i < size / 4; i++)
        if (!is_fine(use[i], action, r.shared, me)) return false;
    return true;
}

template <unsigned size, Action action> INLINED bool goes_on(unsigned id, u64 address) {
    // The lane is at the place where the last lanes were, and keeps its distance; the runtime has seen to it that
    // each that does is within the array, and aligned.
    volatile LaneTurn& lane = RUNNING->turns[32 * id];
    Meeting* next = lane.next;
    const volatile Meeting& here = *next;
    if (here.place != RUNNING->place || here.fits + u64(lane.delta) != address) return false;
#ifndef ONLY_COUNTS
    const volatile Recent& r = RUNNING->recent[id];
    bool seen = action == Action::Read && all_read_by_many<size>(r, RUNNING->many, address);
    if (!seen && !all_fine<size, action>((const Recent&)r, RUNNING->me, address)) return false;
#endif
    lane.next = next + 1;
    return true;
}

// To compile the inlined one takes its time. So a kernel of many accesses calls the other one; which jumps on, so that
// the runtime returns to the access itself.
#define HOOK(name, action, size)                                                                          \
    extern "C" CALLED void emu_told_##name##size(unsigned id, u64 address);                               \
    extern "C" __attribute__((always_inline)) void emu_##name##size(unsigned id, u64 address) {           \
        if (__builtin_expect(!goes_on<size, action>(id, address), 0)) emu_told_##name##size(id, address); \
    }                                                                                                     \
    extern "C" CALLED void emu_called_##name##size(unsigned id, u64 address) {                            \
        if (__builtin_expect(goes_on<size, action>(id, address), 1)) return;                              \
        [[clang::musttail]] return emu_told_##name##size(id, address);                                    \
    }
#define HOOKS(size) HOOK(read, Action::Read, size) HOOK(write, Action::Write, size)
HOOKS(4) HOOKS(8) HOOKS(16)
