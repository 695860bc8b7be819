// Which granules of a program's arrays the threads read, and which they write: another stream may use them meanwhile.
#pragma once
#include "happens_before.h"
#include "observer.h"
#include "screening.h"

struct ArrayUses : Observer {
    static constexpr bool in_screening = true;
    static constexpr u8 READ = 1, WRITTEN = 2;

    static ALWAYS_INLINE void access(const Access& a) {
        if (is_screening() || !a.at.variable->uses) return;
        u8 use = a.action == Action::Read ? READ : a.action == Action::Write ? WRITTEN : READ | WRITTEN;
        if (a.action != Action::Atomic) use |= PLAINLY;
        if (UNLIKELY(request.programmatic) && !HappensBefore::knows_earlier_grid(a.thread))
            use |= (use & (READ | WRITTEN)) * EARLY;
        each(*a.at.variable, a.address, a.size, [&](u64, u8& granule) { granule |= use; });
    }

    static void finish_workers() {
        for (u32 i = 0; i < variable_count && !only_counts(); i++) {
            const Variable& v = variables[i];
            if (!v.uses || !v.bytes) continue;
            each(v, v.start, v.bytes, [](u64 g, u8& granule) {
                for (u32 k = 0; k < request.workers; k++) {
                    const ShadowWords& words = Screening::global_words_of(k)[g];
                    const bool atomic = words.writer == ANY_BLOCK && !words.reader;
                    granule |= u8((words.reader || atomic ? READ : 0) | (words.writer ? WRITTEN : 0));
                    if ((words.reader || words.writer) && !atomic) granule |= PLAINLY;
                }
            });
        }
    }

private:
    // Calls `each(granule of the arena, what is told of it)`. Such an array begins with a granule.
    template <class F> static ALWAYS_INLINE void each(const Variable& v, u64 address, u64 size, F each) {
        u8* told = uses_of(v) - first_granule(v);
        each_granule(global_region, address, size, [&](u64 g, u32) { each(g, told[g]); });
    }
};
