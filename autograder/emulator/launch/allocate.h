// Memory that is never given back: a launch is short, and its process ends with it.
#pragma once
#include "platform/platform.h"
#include "types.h"

// Zeroed, and taken from the machine page by page as it is touched.
static void* allocate_lazily(u64 bytes) {
    void* at = map_pages(bytes);
    if (!at) refuse("no address space");
    return at;
}

static u8* pool;
static u64 pool_left;
constexpr u64 POOL_BYTES = 1 << 20;

// Zeroed, 16-byte aligned.
static void* allocate(u64 bytes) {
    bytes = (bytes + 15) & ~15ull;
    if (bytes > pool_left) {
        if (bytes > POOL_BYTES) return allocate_lazily(bytes);
        pool = (u8*)allocate_lazily(POOL_BYTES);
        pool_left = POOL_BYTES;
    }
    u8* out = pool;
    pool += bytes;
    pool_left -= bytes;
    return out;
}

template <class T> static T* allocate_array(u64 n) { return (T*)allocate(n * sizeof(T)); }

// An array that grows; its old storage is left behind.
template <class T> struct Vector {
    T* items = nullptr;
    u64 count = 0, capacity = 0;
    T& push() {
        if (count == capacity) {
            u64 n = capacity ? capacity * 2 : 8;
            T* more = allocate_array<T>(n);
            for (u64 i = 0; i < count; i++) more[i] = items[i];
            items = more;
            capacity = n;
        }
        return items[count++];
    }
};
