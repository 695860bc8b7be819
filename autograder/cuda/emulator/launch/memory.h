// Which array an address belongs to. Each array starts on a page of 256 bytes of its own (the arena's layout and the
// linker script see to it), so a table by page finds it in constant time.
#pragma once
#include "launch.h"

struct Region {
    u64 low, size;
    u16* variable_of_page;  // index + 1 of the first variable that touches the page
};
static Region global_region, module_region;

static Variable* variables;  // by address within each region; `start` is absolute once loaded
static u32 variable_count;

// The array that an access goes to.
struct Where {
    Region* region;
    const Variable* variable;
    u32 id;               // of the variable
    bool remote = false;  // in the shared memory of another block, see remote_memory.h
};

static void region_prepare(Region& r, u64 low, u64 size) {
    r.low = low;
    r.size = size;
    r.variable_of_page = allocate_array<u16>(size / 256 + 2);
    for (u32 i = 0; i < variable_count; i++) {
        const Variable& v = variables[i];
        if (v.start - low >= size || !v.bytes) continue;
        for (u64 page = (v.start - low) / 256; page <= (v.start + v.bytes - 1 - low) / 256; page++)
            if (!r.variable_of_page[page]) r.variable_of_page[page] = u16(i + 1);
    }
}

// The variable that holds [address, address + size), or null.
static ALWAYS_INLINE const Variable* find_variable(const Region& r, u64 address, u64 size) {
    u32 i = r.variable_of_page[(address - r.low) / 256];
    if (UNLIKELY(!i)) return nullptr;
    for (const Variable* v = variables + i - 1; v < variables + variable_count; v++) {
        if (LIKELY(address - v->start < v->bytes)) return address + size <= v->start + v->bytes ? v : nullptr;
        if (v->start > address) break;
    }
    return nullptr;
}

static __attribute__((noinline)) bool is_shared(u64 address) {
    if (address - module_region.low >= module_region.size) return false;
    const Variable* v = find_variable(module_region, address, 1);
    return v && v->space == Space::Shared;
}

// The variable nearest to an address that lies in none: the one that starts at or before it and ends last, else the
// first after it.
static const Variable* nearest_variable(const Region& r, u64 address) {
    const Variable* best = nullptr;
    for (u32 i = 0; i < variable_count; i++) {
        const Variable& v = variables[i];
        if (v.start - r.low >= r.size) continue;
        if (address - v.start < v.bytes) return &v;  // it begins inside, and ends outside
        auto distance = [&](const Variable& o) {
            return address < o.start ? o.start - address : address - (o.start + o.bytes) + 1;
        };
        if (!best || distance(v) < distance(*best)) best = &v;
    }
    return best;
}

// ---- by shadow words: one for each 4 bytes --------------------------------------------------------------------
[[maybe_unused]] static u64 shadow_words_of(const Region& r) { return r.size / 4 + 2; }
static u64 shadow_words_of(const Variable& v) { return v.bytes / 4 + 1; }
static u64 first_shadow_word(const Variable& v) {
    bool of_module = v.start - module_region.low < module_region.size;
    return (v.start - (of_module ? module_region : global_region).low) / 4;
}

// Calls `each(shadow word of the region, the bytes' mask)` for all shadow words that the bytes touch.
template <class F> static ALWAYS_INLINE void each_shadow_word(const Region& r, u64 address, u64 size, F each) {
    u64 first = (address - r.low) / 4, last = (address + size - 1 - r.low) / 4;
    for (u64 g = first; g <= last; g++) {
        u64 low = r.low + g * 4;
        u32 from = address > low ? u32(address - low) : 0;
        u32 to = address + size < low + 4 ? u32(address + size - low) : 4;
        each(g, ((1u << to) - 1) & ~((1u << from) - 1));
    }
}

// The uses of the shadow words of a program's array, from its first one on: how the launch uses each, and whether it has been
// written before.
static u8* use_flags(const Variable& v) { return (u8*)global_region.low + v.uses; }
static bool had_value(const Variable& v, u64 word) {
    return v.without_values == 2 && use_flags(v)[word - first_shadow_word(v)] & HAS_VALUE;
}

static u64 shared_shadow_words() {
    u64 n = 0;
    for (u32 i = 0; i < variable_count; i++)
        if (variables[i].space == Space::Shared) n += shadow_words_of(variables[i]);
    return n;
}

// Calls `each(variable, position among all shared shadow words, shadow words)` for all shared arrays.
template <class F> static void each_shared_variable(F each) {
    u64 at = 0;
    for (u32 i = 0; i < variable_count; i++) {
        if (variables[i].space != Space::Shared) continue;
        u64 n = shadow_words_of(variables[i]);
        each(i, at, n);
        at += n;
    }
}

// Calls `each(shadow word of the module, position among all shared shadow words, shadow words)` for all shared arrays.
template <class F> static void each_shared(F each) {
    each_shared_variable([&](u32 i, u64 at, u64 n) { each(first_shadow_word(variables[i]), at, n); });
}
