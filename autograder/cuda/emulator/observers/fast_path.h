// The fast path: says only whether a launch is clean. Most launches are, and to know that takes two words for each
// element where a finding takes all of the other observers. A kernel that orders its threads by anything but barriers,
// and whatever might be wrong in any way, is left to the full check.
//
// A run that only counts is the fast path that keeps no such words.
#pragma once
#include "inlined/shadow_word.h"
#include "launch/workers.h"
#include "events/observer.h"

struct FastPath : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::TakesPart;
    static constexpr int turn = -6;
    static constexpr bool in_full_check = false;
    static inline ShadowWord* in_shared;  // by shadow word of the kernel's data
    static inline ShadowWord* in_global;  // by shadow word of the arena
    static inline u32* atomic_bytes;      // by variable: the sizes of its atomics so far, in all workers, each a bit

    static void prepare() {
        u64 words = shadow_words_of(global_region) + shadow_words_of(module_region);
        bytes_of_worker = (words * sizeof(ShadowWord) + 4095) & ~4095ull;
        words_of_all = (u8*)allocate_shared(request.workers * bytes_of_worker);
        atomic_bytes = (u32*)allocate_shared(variable_count * sizeof(u32));
    }

    static void start_worker() {
        in_global = global_words_of(worker);
        in_shared = shared_words_of(worker);
    }

    // Of each worker, the first one sees them at the end.
    static ShadowWord* global_words_of(u32 i) { return (ShadowWord*)(words_of_all + i * bytes_of_worker); }
    static ShadowWord* shared_words_of(u32 i) { return global_words_of(i) + shadow_words_of(global_region); }

    // What the thread leaves in the words, as writer or reader.
    static ALWAYS_INLINE void begin_slice(const Thread& t) {
        running.me = (u64)(block.linear + 1) << 32 | block.interval << 11 | t.linear;
        running.many = running.me | MANY;
    }
    static ALWAYS_INLINE void begin_next_slice(const Thread&) { running.me++; }

    static ALWAYS_INLINE void access(const Access& a) {
        if (UNLIKELY(a.action == Action::Atomic)) look_at_atomic(a);
        if (only_counts()) return;
        u64 offset = a.address - a.at.region->low, first = offset / 4, last = (offset + a.size - 1) / 4;
        if (LIKELY(a.at.variable->space == Space::Shared)) {
            // Of a part of an element the two words say too little.
            if (UNLIKELY(a.size < 4 && a.action != Action::Read && in_shared[first].writer >> 32 != running.me >> 32))
                leave_to_full_check();
            for (u64 g = first; g <= last; g++) use(in_shared[g], a.action, true);
        } else if (LIKELY(a.at.region == &global_region)) {
            // (What was written in part, a read leaves to the end: see `finish_workers`.)
            u32 without_values = a.at.variable->without_values;
            bool reads_new =
                a.action == Action::Read ? without_values == 1 : without_values && a.action == Action::Atomic;
            for (u64 g = first; g <= last; g++) {
                if (UNLIKELY(reads_new && !in_global[g].writer && !had_value(*a.at.variable, g))) leave_to_full_check();
                use(in_global[g], a.action, false);
            }
        } else if (UNLIKELY(a.action != Action::Read)) {
            leave_to_full_check();  // a `__device__` variable
        } else {
            read_variable(a);
        }
    }

    static void read_constant(const Access& a) {
        if (!only_counts()) read_variable(a);
    }

    static ALWAYS_INLINE void read_variable(const Access& a) {
        const Variable& v = *a.at.variable;
        if (UNLIKELY(v.held && a.address + a.size > v.start + v.held)) leave_to_full_check();
    }

    static ALWAYS_INLINE void use(ShadowWord& words, Action action, bool shared) {
        if (UNLIKELY(!is_fine(words, action, shared, running.me))) leave_to_full_check();
    }

    static void look_at_atomic(Access a) {
        if (a.thread.atomic_part == Part::Loads) leave_to_full_check();
        // A pointer into shared memory leads another block to its own, see escaped_pointers.h.
        if (a.size == 8 && is_shared(*(const u64*)a.address)) leave_to_full_check();
        if (a.thread.atomic_scope != SCOPE_DEVICE && a.at.region == &global_region) leave_to_full_check();
        u32 bytes = a.thread.atomic_element;
        if (__atomic_or_fetch(&atomic_bytes[a.at.id], bytes, __ATOMIC_RELAXED) != bytes) leave_to_full_check();
    }
    static void load_read_only(const Thread&, u64 address, u32 size, const void*) {
        if (only_counts() || address - global_region.low >= global_region.size) return;
        u64 offset = address - global_region.low;
        for (u64 g = offset / 4; g <= (offset + size - 1) / 4; g++)
            if (in_global[g].writer) leave_to_full_check();
    }
    static void undefined_value(const Thread&, u32, const void*) { leave_to_full_check(); }

    // The first worker looks whether one has read what held no value, though it may have written that before; and whether
    // two met at an element of a global array: one wrote it, and another used it.
    static void finish_workers() {
        if (only_counts()) return;
        for (u32 i = 0; i < variable_count; i++) {
            const Variable& v = variables[i];
            for (u64 g = first_shadow_word(v); v.without_values == 2 && g < first_shadow_word(v) + shadow_words_of(v);
                 g++)
                for (u32 k = 0; k < request.workers; k++)
                    if (UNLIKELY(global_words_of(k)[g].reader && !had_value(v, g))) leave_to_full_check();
        }
        if (request.workers == 1) return;
        for (u32 i = 0; i < variable_count; i++) {
            const Variable& v = variables[i];
            if (v.space != Space::Global || !v.bytes) continue;
            each_shadow_word(global_region, v.start, v.bytes, [](u64 g, u32) {
                u32 writers = 0, users = 0;
                for (u32 k = 0; k < request.workers; k++) {
                    const ShadowWord& words = global_words_of(k)[g];
                    writers += words.writer != 0;
                    users += (words.writer | words.reader) != 0;
                }
                if (writers && users > 1) leave_to_full_check();
            });
        }
    }

private:
    static inline u8* words_of_all;  // each worker's, one after the other
    static inline u64 bytes_of_worker;
};
