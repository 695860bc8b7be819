// The runtime's memory lies far from everything that a kernel may write, at a distance that nobody can know: a store that
// no hook has seen, and that does not know where to go, hits nothing.
#pragma once
#include "../platform.h"
#include "files.h"
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static u8* next_pages;  // where the next ones go; null: not chosen yet

// Below all that the system places by itself, with room for terabytes after it.
static void choose_place() {
    u64 place;
    if (syscall(SYS_getrandom, &place, sizeof place, 0) != sizeof place) refuse("no random number");
    constexpr u64 LOWEST = 1ull << 45, HIGHEST = 1ull << 46;
    next_pages = (u8*)((LOWEST + place % (HIGHEST - LOWEST)) & ~4095ull);
}

static void* map_zeroed(u64 bytes, int flags) {
    if (!next_pages) choose_place();
    // (Something else lies there? Then the system chooses another place.)
    void* at = mmap(next_pages, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return nullptr;
    if (at == next_pages) next_pages += (bytes + 4095) & ~4095ull;
    return at;
}

static void* map_pages(u64 bytes) { return map_zeroed(bytes, MAP_PRIVATE); }
static void* map_shared_pages(u64 bytes) { return map_zeroed(bytes, MAP_SHARED); }

// Many whole pages are given back instead: to write zeros would take memory for those that were never touched, too.
static void clear(void* mapped, u64 bytes) {
    constexpr u64 PAGE = 4096, MANY = 64 * PAGE;
    u64 begin = (u64)mapped, end = begin + bytes, low = (begin + PAGE - 1) & -PAGE, high = end & -PAGE;
    if (bytes < MANY) {
        __builtin_memset(mapped, 0, bytes);
        return;
    }
    __builtin_memset(mapped, 0, low - begin);
    __builtin_memset((void*)high, 0, end - high);
    mmap((void*)low, high - low, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
         0);
}
