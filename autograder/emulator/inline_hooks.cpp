// What stands before each load and store of 4, 8 or 16 bytes in the compiled kernel: it lets through what
// goes on as it went before, and calls the runtime for all else: for every write, unless the run only counts, and
// for all of a thorough run, in which nothing is known.
//
// The kernel's own code must never hold what is the runtime's: a function of the kernel keeps the registers of
// its caller on its stack, and may write there. So all of it is volatile, and read anew at each access.
#include "recent.h"

using u64 = unsigned long long;

static inline __attribute__((always_inline)) const volatile Running& running() {
    const volatile Running* at;
    asm volatile("movq emu_running@GOTPCREL(%%rip), %0" : "=r"(at));
    return *at;
}

// Of a Use's words: that the thread reads there changes nothing, since many threads of the block have since its last
// barrier, and nobody wrote; or many blocks have.
static inline __attribute__((always_inline)) bool read_by_many(const volatile Use& use, u64 many) {
    u64 reader = use.reader;
    return reader == many || reader == ANY_BLOCK;
}

// True: the lane is at the place where the last lanes were, in its next request. False: there is more to it.
template <unsigned size> static inline __attribute__((always_inline)) bool goes_on(const volatile Running& now, unsigned id, u64 address) {
    const volatile Recent& r = now.recent[id];
    if (address - r.start >= r.span || address % size) return false;
    volatile LaneTurn& me = r.lanes[now.lane];
    int next = me.next;
    if (((const volatile u64*)r.fits)[next] + u64((long long)me.delta) != key_of(now.place, address)) return false;
    u64 many = now.many;
    if (many) {
        const volatile Use* use = (const volatile Use*)(r.uses + 4 * address);
        if (!read_by_many(use[0], many) || (size >= 8 && !read_by_many(use[1], many))) return false;
        if (size == 16 && (!read_by_many(use[2], many) || !read_by_many(use[3], many))) return false;
    }
    me.next = next + 1;
    return true;
}

#define HOOK(size)                                                                                                  \
    extern "C" __attribute__((preserve_most, noduplicate)) void emu_told_read##size(unsigned id, u64 address);      \
    extern "C" __attribute__((preserve_most, noduplicate)) void emu_told_write##size(unsigned id, u64 address);     \
    extern "C" __attribute__((always_inline)) void emu_read##size(unsigned id, u64 address) {                       \
        if (__builtin_expect(!goes_on<size>(running(), id, address), 0)) emu_told_read##size(id, address);          \
    }                                                                                                               \
    extern "C" __attribute__((always_inline)) void emu_write##size(unsigned id, u64 address) {                      \
        const volatile Running& now = running();                                                                    \
        if (now.many || !goes_on<size>(now, id, address)) emu_told_write##size(id, address);                        \
    }
HOOK(4) HOOK(8) HOOK(16)
