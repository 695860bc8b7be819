// Memory grows and is never given back: a launch has an instance of its own. New pages are zero, and the machine
// provides them as they are touched.
#pragma once
#include "host.h"

constexpr u64 WASM_PAGE = 64 * 1024;

// Engines look for garbage whenever a memory has grown, so it grows by much at once.
constexpr u64 MUCH = (1ull << 30) / WASM_PAGE;

static bool grow(u64 pages) { return __builtin_wasm_memory_grow(0, pages) != ~0ull; }

static void* map_pages(u64 bytes) {
    static u64 left;  // pages at the end that nobody has yet
    u64 wanted = (bytes + WASM_PAGE - 1) / WASM_PAGE;
    if (left < wanted) {
        u64 least = wanted - left, more = least < MUCH ? MUCH : least;
        if (!grow(more) && !grow(more = least)) return nullptr;
        left += more;
    }
    left -= wanted;
    return (void*)((__builtin_wasm_memory_size(0) - left - wanted) * WASM_PAGE);
}

static void* map_shared_pages(u64 bytes) { return map_pages(bytes); }

static void clear(void* mapped, u64 bytes) { __builtin_memset(mapped, 0, bytes); }

static void open_window() {}
static void* map_for_kernel(u64 bytes) {
    void* at = map_pages(bytes);
    if (!at) refuse("no address space");
    return at;
}
static ALWAYS_INLINE bool kernel_may_write(const void*, u64) { return true; }

static File map_file(int descriptor, bool) {
    u64 size = host_file_size(descriptor);
    if (!size) return {nullptr, 0};
    void* at = map_pages(size);
    if (!at) refuse("cannot map a descriptor");
    host_read_file(descriptor, at);
    return {(u8*)at, size};
}

static File map_arrays(int descriptor) { return map_file(descriptor, true); }
