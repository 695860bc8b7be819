// Which accesses of the launch race with the grids that its threads have launched. A grid comes after what its thread knew
// at the launch; nothing else orders it with the launch, whose own grid runs to its end first here. What it uses is known
// only once it has run: then the launch is made again, and its request has these uses.
#pragma once
#include "races.h"

struct ChildGrids : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::Covered;
    static constexpr int turn = -1;                   // reads what Races remembers
    static inline Vector<const VectorClock*> before;  // by the number of the launch
    static inline Vector<ChildRace> found;

    static void launch_child(Thread& t) { before.push() = HappensBefore::before_child(t); }

    static void fill_answer() {
        for (u64 i = 0; i < request.n_child_uses && !is_fast_path(); i++) {
            const ChildUse& use = child_uses[i];
            u64 start = global_region.low + use.start;
            const bool known = found.count && found.items[found.count - 1].launch == use.launch;
            if (known || use.launch >= before.count) continue;
            Where w = find_array(start, use.bytes);
            if (!w.variable) continue;
            each_shadow_word(global_region, start, use.bytes, [&](u64 g, u32) { look_at(w, g, use); });
        }
        answer.child_races = {found.items, found.count};
    }

private:
    static void look_at(Where w, u64 word, const ChildUse& use) {
        if (found.count && found.items[found.count - 1].launch == use.launch) return;
        Races::each_access(w, word, [&](const Races::Slot& s) {
            const bool harmless = s.action == Action::Read ? !use.writes : s.action == Action::Atomic && use.atomic;
            if (harmless) return true;
            u32 after = s.lanes & ~HappensBefore::lanes_before_child(before.items[use.launch], s.block, s.interval,
                                                                     s.warp, s.lanes, s.clock);
            if (!after || is_engine(s.block)) return true;
            const Location at = {s.block, s.warp * 32u + u32(__builtin_ctz(after)), s.site};
            found.push() = {u32(use.launch), word * 4, s.action, bool(use.writes), at};
            return false;
        });
    }
};
