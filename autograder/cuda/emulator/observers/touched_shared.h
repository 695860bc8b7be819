// How many bytes of each shared array some thread uses, in whichever block: the rest is asked for in vain.
#pragma once
#include "launch/stop.h"
#include "events/observer.h"
#include "fast_path.h"

struct TouchedShared : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::TakesPart;

    static void prepare() {
        if (!is_fast_path()) touched = (u8*)allocate_lazily(shadow_words_of(module_region));
    }

    static ALWAYS_INLINE void access(const Access& a) {
        if (is_fast_path() || a.at.variable->space != Space::Shared) return;
        each_shadow_word(module_region, home_of(a.at, a.address), a.size,
                         [](u64 g, u32 bytes) { touched[g] |= u8(bytes); });
    }

    // The fast path has words of 4 bytes each. It leaves a kernel that uses fewer at once to the full check.
    static void finish_workers() {
        if (only_counts()) return;
        touched = (u8*)allocate_lazily(shadow_words_of(module_region));
        for (u32 k = 0; k < request.workers; k++) {
            const ShadowWord* words = FastPath::shared_words_of(k);
            each_shared([&](u64 first, u64, u64 n) {
                for (u64 g = first; g < first + n; g++)
                    if (words[g].writer | words[g].reader) touched[g] = 15;
            });
        }
    }

    static void fill_answer() {
        if (!touched) return;
        TouchedArray* arrays = allocate_array<TouchedArray>(variable_count);
        u64 n = 0;
        for (u32 i = 0; i < variable_count; i++) {
            const Variable& v = variables[i];
            if (v.space != Space::Shared || !v.bytes) continue;
            arrays[n] = {i, 0};
            each_shadow_word(module_region, v.start, v.bytes,
                             [&](u64 g, u32 bytes) { arrays[n].bytes += u32(__builtin_popcount(touched[g] & bytes)); });
            n++;
        }
        answer.touched_shared = {arrays, n};
    }

private:
    static inline u8* touched;  // by shadow word of the kernel's data, a bit for each byte; null: nobody looks
};
