// Memory that is never given back: a launch is short, and its process ends with it. What the runtime takes while the
// kernel runs is counted, and the launch stops at the same access on every machine.
#pragma once
#include "platform/platform.h"
#include "types.h"

static u64 memory_left = ~0ull;    // bytes; bounded while the kernel runs, see launch/stop.h
static void (*stop_for_memory)();  // null: no kernel runs

static void end_of_memory() {
    if (stop_for_memory) stop_for_memory();
    refuse("no address space");
}

// Zeroed, and taken from the machine page by page as it is touched; so it is not counted.
static void* allocate_lazily(u64 bytes) {
    void* at = map_pages(bytes);
    if (!at) end_of_memory();
    return at;
}

static void* allocate_pages(u64 bytes) {
    if (bytes > memory_left) end_of_memory();
    memory_left -= bytes;
    return allocate_lazily(bytes);
}

static u8* pool;
static u64 pool_left;
constexpr u64 POOL_BYTES = 1 << 20;

// Zeroed, 16-byte aligned.
static void* allocate(u64 bytes) {
    bytes = (bytes + 15) & ~15ull;
    if (bytes > pool_left) {
        if (bytes > POOL_BYTES) return allocate_pages(bytes);
        pool = (u8*)allocate_pages(POOL_BYTES);
        pool_left = POOL_BYTES;
    }
    u8* out = pool;
    pool += bytes;
    pool_left -= bytes;
    return out;
}

template <class T> static T* allocate_array(u64 n) { return (T*)allocate(n * sizeof(T)); }

// An array that grows; its old storage is not freed.
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
