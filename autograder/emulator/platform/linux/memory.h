#pragma once
#include "../platform.h"
#include <sys/mman.h>

static void* map_zeroed(u64 bytes, int flags) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? nullptr : at;
}

static void* map_pages(u64 bytes) { return map_zeroed(bytes, MAP_PRIVATE); }
static void* map_shared_pages(u64 bytes) { return map_zeroed(bytes, MAP_SHARED); }

static void clear_pages(void* pages, u64 bytes) {
    mmap(pages, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}
