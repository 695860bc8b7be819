// Memory that is never given back: a launch is short, and its process ends with it.
#pragma once
#include "runtime.h"
#include <sys/mman.h>

static u8* pool;
static u64 pool_left;

// Zeroed, 16-byte aligned.
static void* allocate(u64 bytes) {
    bytes = (bytes + 15) & ~15ull;
    if (bytes > pool_left) {
        u64 chunk = bytes > (1 << 20) ? bytes : 1 << 20;
        void* fresh = mmap(nullptr, chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (fresh == MAP_FAILED) __builtin_trap();
        if (bytes > (1 << 20)) return fresh;
        pool = (u8*)fresh;
        pool_left = chunk;
    }
    u8* out = pool;
    pool += bytes;
    pool_left -= bytes;
    return out;
}

// Zeroed, and taken from the machine page by page as it is touched.
static void* allocate_lazily(u64 bytes) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) refuse("no address space");
    return at;
}

template <class T> static T* allocate_array(u64 n) { return (T*)allocate(n * sizeof(T)); }

// A list that grows; its old storage is left behind.
template <class T> struct List {
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
