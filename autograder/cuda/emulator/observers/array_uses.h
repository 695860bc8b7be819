// Which shadow words of a program's arrays the threads read, and which they write: another stream may use them meanwhile.
#pragma once
#include "happens_before.h"
#include "events/observer.h"
#include "fast_path.h"

struct ArrayUses : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::TakesPart;
    static constexpr u8 READ = 1, WRITTEN = 2;

    static ALWAYS_INLINE void access(const Access& a) {
        if (is_fast_path() || !a.at.variable->uses) return;
        u8 use = a.action == Action::Read ? READ : a.action == Action::Write ? WRITTEN : READ | WRITTEN;
        if (a.action != Action::Atomic) use |= PLAINLY;
        if (UNLIKELY(request.programmatic) && !HappensBefore::knows_earlier_grid(a.thread))
            use |= (use & (READ | WRITTEN)) * EARLY;
        each(*a.at.variable, a.address, a.size, [&](u64, u8& word) { word |= use; });
    }

    static void finish_workers() {
        for (u32 i = 0; i < variable_count && !only_counts(); i++) {
            const Variable& v = variables[i];
            if (!v.uses || !v.bytes) continue;
            each(v, v.start, v.bytes, [](u64 g, u8& word) {
                for (u32 k = 0; k < request.workers; k++) {
                    const ShadowWord& words = FastPath::global_words_of(k)[g];
                    const bool atomic = words.writer == ANY_BLOCK && !words.reader;
                    word |= u8((words.reader || atomic ? READ : 0) | (words.writer ? WRITTEN : 0));
                    if ((words.reader || words.writer) && !atomic) word |= PLAINLY;
                }
            });
        }
    }

private:
    // Calls `each(shadow word of the arena, its uses)`. Such an array begins with a shadow word.
    template <class F> static ALWAYS_INLINE void each(const Variable& v, u64 address, u64 size, F each) {
        u8* flags = use_flags(v) - first_shadow_word(v);
        each_shadow_word(global_region, address, size, [&](u64 g, u32) { each(g, flags[g]); });
    }
};
