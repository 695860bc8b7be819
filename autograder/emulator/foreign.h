// Pointers into shared memory that a block leaves outside it, for another block to find. Every block has its
// shared memory at the same addresses here, so such a pointer would lead the other block to its own. What it
// reads is therefore changed, before it reads it, into an address that lies nowhere and says what it meant.
#pragma once
#include "core.h"

constexpr u64 FOREIGN = 1ull << 63;  // | block << 32 | offset in the module's data

struct LeftPointer {
    u64 place, pointer;  // the word that holds it, and what it is to its own block
    u32 block;
};
static List<LeftPointer> left_pointers;
static List<u64> words_written;  // just now: what they hold is known at the thread's next event

static bool is_shared(u64 address) {
    if (address - module_region.low >= module_region.size) return false;
    const Variable* v = find_variable(module_region, address, 1);
    return v && v->space == Space::Shared;
}

static bool is_foreign(u64 address) {
    u64 blocks = request.grid[0] * request.grid[1] * request.grid[2];
    return left_pointers.count && address & FOREIGN && (address & ~FOREIGN) >> 32 < blocks;
}
static u32 foreign_block(u64 address) { return u32((address & ~FOREIGN) >> 32); }
static u64 foreign_pointer(u64 address) { return module_region.low + u32(address); }

static __attribute__((noinline)) void foreign_settle() {
    for (u64 i = 0; i < words_written.count; i++) {
        u64 place = words_written.items[i], k = 0;
        LeftPointer now = {place, *(const u64*)place, block.linear};
        while (k < left_pointers.count && left_pointers.items[k].place != place) k++;
        bool handed_on = is_foreign(now.pointer);
        if (handed_on) now = {place, foreign_pointer(now.pointer), foreign_block(now.pointer)};
        if (handed_on || is_shared(now.pointer)) {
            if (k == left_pointers.count) left_pointers.push();
            left_pointers.items[k] = now;
        } else if (k < left_pointers.count) {
            left_pointers.items[k] = left_pointers.items[--left_pointers.count];
        }
    }
    words_written.count = 0;
}

// An access outside shared memory, just before it happens.
static ALWAYS_INLINE void foreign_access(u64 address, u32 size, Action action) {
    if (LIKELY(size < 8)) return;
    for (u64 i = 0; UNLIKELY(i < left_pointers.count); i++) {
        const LeftPointer& l = left_pointers.items[i];
        if (l.place - address >= size) continue;
        u64 foreign = FOREIGN | (u64)l.block << 32 | (l.pointer - module_region.low);
        u64& word = *(u64*)l.place;
        if (word == l.pointer || word == foreign) word = l.block == block.linear ? l.pointer : foreign;
        else left_pointers.items[i--] = left_pointers.items[--left_pointers.count];  // overwritten, in parts
    }
    if (action == Action::Read) return;
    for (u64 word = address & ~7ull; word < address + size; word += 8) words_written.push() = word;
}

[[noreturn]] static void stop_foreign(u64 address, u64 size, Action action, const void* site) {
    const Variable* v = nearest_variable(module_region, foreign_pointer(address));
    u64 offset = foreign_pointer(address) - v->start;
    stop(EscapedPointer{foreign_block(address), u32(v - variables), i64(offset), size, action,
                        location(*current, site)});
}
