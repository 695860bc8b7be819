// What runs before each numbered load and store of 4, 8 or 16 bytes in the compiled kernel. An access that goes on as
// before passes; the runtime hears of all others, and in the full check, where nothing is remembered, of every one.
//
// All of it is volatile, since it changes with each access. What these hooks write is outside of the kernel's window, and
// named in no other way (see cuda/compiler/fault_isolation/).
//
// With ONLY_COUNTS it is for launches that are counted and not checked, see fast_path.h.
#include "shadow_word.h"

#define INLINED static inline __attribute__((always_inline))
#define CALLED __attribute__((preserve_all, noinline, noduplicate))

// Relative to the register GS: what these hooks may write.
#define RUNTIME_MEMORY __attribute__((address_space(256)))
#define RUNNING ((const volatile Running RUNTIME_MEMORY*)-RUNNING_BEFORE)

// Reading there changes nothing: many threads of the block have read since its last barrier, and nobody wrote; or many
// blocks have.
INLINED bool read_by_many(const volatile ShadowWord RUNTIME_MEMORY& words, u64 many) {
    u64 reader = words.reader;
    return reader == many || reader == ANY_BLOCK;
}

template <unsigned size> INLINED bool all_read_by_many(const volatile CachedAccess& r, u64 many, u64 address) {
    const volatile ShadowWord RUNTIME_MEMORY* words =
        (const volatile ShadowWord RUNTIME_MEMORY*)(r.words + 4 * address);
    if (!read_by_many(words[0], many) || (size >= 8 && !read_by_many(words[1], many))) return false;
    return size < 16 || (read_by_many(words[2], many) && read_by_many(words[3], many));
}

template <unsigned size, Action action> CALLED static bool all_fine(const CachedAccess& r, u64 me, u64 address) {
    ShadowWord RUNTIME_MEMORY* words = (ShadowWord RUNTIME_MEMORY*)(r.words + 4 * address);
    for (unsigned i = 0; i < size / 4; i++)
        if (!is_fine(words[i], action, r.shared, me)) return false;
    return true;
}

template <unsigned size, Action action> INLINED bool goes_on(unsigned id, u64 address) {
    // The lane is in the iteration where the last lanes were, and keeps its distance; the runtime has made sure that
    // each lane that does so is within the array, and aligned.
    volatile LaneCursor RUNTIME_MEMORY& lane = ((volatile LaneCursor RUNTIME_MEMORY*)RUNNING->cursors)[32 * id];
    RequestSlot* next = lane.next;
    const volatile RequestSlot& here = *next;
    if (here.loop_hash != RUNNING->loop_hash || here.fits + u64(lane.delta) != address) return false;
#ifndef ONLY_COUNTS
    const volatile CachedAccess& r = RUNNING->cache[id];
    bool seen = action == Action::Read && all_read_by_many<size>(r, RUNNING->many, address);
    if (!seen && !all_fine<size, action>((const CachedAccess&)r, RUNNING->me, address)) return false;
#endif
    lane.next = next + 1;
    return true;
}

// Inlining takes the compiler time, so a kernel of many accesses calls emu_called_*; which jumps on, so that the
// runtime returns to the access itself.
#define HOOK(name, action, size)                                                                              \
    extern "C" CALLED void emu_numbered_##name##size(unsigned id, u64 address);                               \
    extern "C" __attribute__((always_inline)) void emu_##name##size(unsigned id, u64 address) {               \
        if (__builtin_expect(!goes_on<size, action>(id, address), 0)) emu_numbered_##name##size(id, address); \
    }                                                                                                         \
    extern "C" CALLED void emu_called_##name##size(unsigned id, u64 address) {                                \
        if (__builtin_expect(goes_on<size, action>(id, address), 1)) return;                                  \
        [[clang::musttail]] return emu_numbered_##name##size(id, address);                                    \
    }
#define HOOKS(size) HOOK(read, Action::Read, size) HOOK(write, Action::Write, size)
HOOKS(4) HOOKS(8) HOOKS(16)
