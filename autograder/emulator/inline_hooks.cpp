// What stands before each load and store of 4, 8 or 16 bytes in the compiled kernel: it lets through what
// goes on as it went before, and tells the runtime of all else; and so of all in a thorough run, in which nothing is known.
//
// The kernel's own code must never hold what is the runtime's: a function of the kernel keeps the registers of
// its caller on its stack, and may write there. So all of it is volatile, and read anew at each access.
#include "uses.h"

#define INLINED static inline __attribute__((always_inline))
#define CALLED __attribute__((preserve_most, noinline, noduplicate))

INLINED const volatile Running& running() {
    const volatile Running* at;
    asm volatile("movq emu_running@GOTPCREL(%%rip), %0" : "=r"(at));
    return *at;
}

// True: the lane is at the place where the last lanes were, and keeps its distance.
template <unsigned size> INLINED bool in_step(const volatile Running& now, const volatile Recent& r, const volatile LaneTurn& lane, u64 address) {
    if (address - r.start >= r.span || address % size) return false;
    return ((const volatile u64*)r.fits)[lane.next] + u64((long long)lane.delta) == key_of(now.place, address);
}

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
    const volatile Running& now = running();
    const volatile Recent& r = now.recent[id];
    volatile LaneTurn& lane = r.lanes[now.lane];
    if (!in_step<size>(now, r, lane, address)) return false;
    u64 many = now.many;
    bool seen = !many || (action == Action::Read && all_read_by_many<size>(r, many, address));
    if (!seen && !all_fine<size, action>((const Recent&)r, now.me, address)) return false;
    lane.next = lane.next + 1;
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
