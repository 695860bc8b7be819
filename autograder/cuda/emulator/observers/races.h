// Data races. Each shadow word, of 4 bytes of shared or global memory, remembers the accesses that a later one may race
// with. A new access races with a remembered one when they overlap, are of different threads, at least one writes, they
// are not atomics of the same bytes, and nothing orders them. events/race_memory.h says which are remembered.
#pragma once
#include "happens_before.h"
#include "launch/shadow.h"
#include "launch/stop.h"
#include "events/observer.h"
#include "events/race_memory.h"

struct Races : Observer, RaceMemory {
    static constexpr OnFastPath on_fast_path = OnFastPath::Covered;
    static constexpr int turn = -2;  // queries HappensBefore
    struct Pending {                 // a copy on its way, as the access that it will be
        Slot slot;
        Wait wait;
    };
    // Whether two writes store the same value is known only once the second has happened: the bytes before it are
    // kept, and compared at the thread's next event.
    struct Unsettled {
        u64 record, address;
        u32 size;
        u8 before[16];
    };
    static constexpr u64 MAX_RECORDS = 512;
    static constexpr Wait UNSHOWN = Wait::Proxy, UNSHOWN_TO_PRODUCT = Wait::ProductProxy, UNSHOWN_MAP = Wait::MapProxy;
    static inline Vector<Race> records;
    static inline u64 met;  // races, as often as they were seen: each takes about as long as an access without
    static inline Shadow<Cell> cells;
    static inline Unsettled unsettled[4];
    static inline u32 unsettled_count;
    static inline Vector<Pending> pending;
    static inline u64 pending_left;
    struct LastAnswer {  // what was found last of a slot for all threads that start an engine's access
        CopyEngine engine;
        Slot slot;
        u32 before;
        bool unshown;
    };
    static inline LastAnswer last;

    // ---- events
    static void prepare() { cells.prepare(); }

    // Whoever had its place has freed it before.
    static void begin_heap_block(u64 address, u64 bytes, bool) {
        Where w = find_array(address, 1);
        each_shadow_word(*w.region, address, bytes, [&](u64 g, u32) { cells.of(w)[g] = {}; });
    }

    // In a cluster, a barrier of the block orders less than all accesses of its memory.
    static void begin_block() {
        if (is_clustered()) cells.forget_shared();
    }

    static ALWAYS_INLINE void access(const Access& a) { look(a, nullptr); }

    static ALWAYS_INLINE void settle() {
        if (UNLIKELY(unsettled_count)) compare_values();
    }

    static void put_block_aside() {
        cells.save_shared();
        cells.forget_shared();
    }
    static void take_block_up() { cells.restore_shared(); }

    // Every access before it comes before every access after it: the cells start anew.
    static void open_grid_barrier() { cells.forget(); }

    // From here on until it lands, the copy races with every access of its place, the thread's own too.
    static void start_copy(const Thread& t, const AsyncCopy& c, Wait wait) {
        if (c.to - module_region.low >= module_region.size) return;
        if (!pending_left++) pending.count = 0;
        pending.push() = {slot(t, site_of(c.site), 15, Action::Write), wait};
        each_shadow_word(module_region, c.to, c.size(),
                         [](u64 g, u32) { cell_of_module(g).pending = u32(pending.count); });
    }

    static void await_copy(Thread& t, const AsyncCopy& c) {
        if (c.to - module_region.low >= module_region.size) return;
        u32 number = cell_of_module((c.to - module_region.low) / 4).pending;
        const Slot started = number ? pending.items[number - 1].slot : Slot{};  // none: another copy has landed there
        drop_copy(c);
        look({t, find_array(c.to, c.size()), c.to, u32(c.size()), Action::Write, c.site, NO_NUMBER, false}, &started);
    }

    static void drop_copy(const AsyncCopy& c) {  // it is no longer on its way
        if (c.to - module_region.low >= module_region.size) return;
        pending_left--;
        each_shadow_word(module_region, c.to, c.size(), [](u64 g, u32) { cell_of_module(g).pending = 0; });
    }

    // Otherwise an endless loop with a race in each round would take far longer than any other until it is stopped.
    static u64 extra_steps() { return met; }

    static void fill_answer() { answer.races = {records.items, records.count}; }

    // Calls `each` for the remembered accesses of a shadow word of global memory, until it returns false.
    template <class F> static void each_access(Where w, u64 word, F each) {
        const Cell& cell = cells.of(w)[word];
        for (const Slot& s : cell.slots)
            if (s.lanes && !each(s)) return;
        for (const MoreSlots* more = cell.more; more; more = more->next)
            for (const Slot& s : more->slots)
                if (s.lanes && !each(s)) return;
    }

private:
    static Cell& cell_of_module(u64 word) { return cells.of(find_array(module_region.low + 4 * word, 1))[word]; }

    static __attribute__((noinline)) void compare_values() {
        for (u32 i = 0; i < unsettled_count; i++)
            if (__builtin_memcmp((void*)unsettled[i].address, unsettled[i].before, unsettled[i].size))
                records.items[unsettled[i].record].same_value = false;
        unsettled_count = 0;
    }

    static Slot slot(const Thread& t, u32 site, u32 mask, Action action) {
        u64 step = steps_of(t);
        Slot made = {block.linear,
                     block.interval,
                     HappensBefore::of(t).clock,
                     site,
                     1u << t.lane,
                     u16(t.warp),
                     u16(step < 65535 ? step : 65535),
                     u8(mask),
                     action,
                     0,
                     0};
        if (action == Action::Atomic) made.atomic_scope = t.atomic_scope, made.atomic_bytes = t.atomic_element;
        return made;
    }

    // Which lanes' accesses come before what the thread does now.
    static ALWAYS_INLINE u32 lanes_before(const Slot& s, const Thread& t, u64 word) {
        u32 before = HappensBefore::lanes_before(s.block, s.interval, s.warp, s.lanes, s.clock, t);
        if (LIKELY(!HappensBefore::has_learned(t)) || s.action != Action::Atomic) return before;
        u64 key = atomic_entry(HappensBefore::common_address(word), s.block, s.warp * 32u).key;
        return before | lanes_above(HappensBefore::of(t).known, key, s.lanes & ~before, s.clock) |
               lanes_above(HappensBefore::of_block(), key, s.lanes & ~before, s.clock);
    }

    // How far apart two threads are: what orders them, and so what the mistake is, depends on it.
    static int distance(const Location& a, const Location& b) {
        if (a.block != b.block) return in_one_cluster(a.block, b.block) ? 2 : 3;
        return a.thread / 32 != b.thread / 32;
    }

    // `copy`: what `s` is waited for by, if that is an asynchronous copy.
    static void record(const Access& a, Cell& cell, const Slot& s, const Slot& now, u64 offset, const Wait* copy) {
        met++;
        // In the order of the program, whichever ran first here: a read of shared memory after the block's only write of
        // the place; otherwise by barrier interval, then by what stands earlier on the way from the last barrier; where
        // these tell nothing, by the lines, which the reader knows.
        bool stores = now.action == Action::Write, gives_value = a.at.variable->space == Space::Shared &&
                                                                 (s.action == Action::Write) != stores &&
                                                                 cell.stores == (stores ? 0 : 1);
        bool tied = !gives_value && s.interval == now.interval && s.step == now.step;
        bool in_order = gives_value                  ? !stores
                        : tied                       ? s.site <= now.site
                        : s.interval != now.interval ? s.interval < now.interval
                                                     : s.step < now.step;
        // (Of a bulk copy, the intervals are others; what was started before it may be what waits for it.)
        if (is_engine(s.block) || is_engine(now.block)) tied = false, in_order = true;
        auto side = [](const Slot& of) {
            const u32 of_block = is_engine(of.block) ? of.clock : of.block;
            return RacingAccess{of.action, of.atomic_bytes, {of_block, thread_of(of), of.site}};
        };
        const RacingAccess first = side(in_order ? s : now), second = side(in_order ? now : s);
        auto alike = [](const RacingAccess& p, const RacingAccess& q) {
            return p.at.site == q.at.site && p.action == q.action;
        };
        u64 i = 0;
        for (; i < records.count; i++) {
            const Race& r = records.items[i];
            if (alike(r.first, first) && alike(r.second, second) && r.variable == a.at.id) break;
        }
        if (i == records.count) {
            if (records.count == MAX_RECORDS) return;
            bool writes = s.action == Action::Write && now.action == Action::Write;
            records.push() = {first, second, a.at.id, offset, 0, writes, tied, Unawaited::Neither, {}, owner_of(a.at)};
        }
        Race& r = records.items[i];
        if (copy) r.unawaited = in_order ? Unawaited::First : Unawaited::Second, r.wait = *copy;
        // The pair that is furthest apart stands for all: what orders it orders the others too.
        if (distance(first.at, second.at) > distance(r.first.at, r.second.at))
            r.first = first, r.second = second, r.offset = offset, r.owner = owner_of(a.at);
        u64 bytes = u64(s.mask & now.mask) << 4 * (i % 16);
        r.count += u64(__builtin_popcountll(bytes & ~cell.counted));
        cell.counted |= bytes;
        if (r.same_value && a.size <= 16 && unsettled_count < 4) {
            Unsettled& u = unsettled[unsettled_count++];
            u.record = i, u.address = a.address, u.size = a.size;
            __builtin_memcpy(u.before, (void*)a.address, a.size);
        }
    }

    // Whether a bulk copy reads what was written before, but not by its proxy.
    static bool is_unshown(const Slot& s, u32 lanes, const Slot& now, const Thread& t, u64 shown) {
        if (now.action != Action::Read || s.action == Action::Read || is_engine(s.block) || !(s.mask & now.mask))
            return false;
        return lanes & ~HappensBefore::lanes_shown(s.block, s.interval, s.warp, lanes, s.clock, shown, t);
    }

    // Fills `last`: threads that start an access together all do so after what comes before it.
    static void compare_all(const Slot& s, const Slot& now, const Access& a, u64 word) {
        const CopyEngine& e = *a.engine;
        const bool known = last.engine.block == e.block && last.engine.interval == e.interval &&
                           is_alike(s, last.slot) && s.lanes == last.slot.lanes;
        if (known && s.action != Action::Atomic) return;
        last = {e, s, s.lanes, false};
        if (s.block == e.block) return;  // an engine does one thing after the other
        for (u32 i = 0; i < a.starters; i++) {
            const Thread& t = (&a.thread)[i];
            last.before &= lanes_before(s, t, word);
            last.unshown |= last.before && is_unshown(s, last.before, now, t, HappensBefore::SHOWN_OF_SHARED);
        }
    }

    static void look_at(Access a, Cell& cell, u64 g, u32 mask, const Slot* started) {
        const Thread& t = a.thread;
        Slot now = slot(t, site_of(a.site), mask, a.action);
        bool writes = a.action != Action::Read, is_shared = a.at.variable->space == Space::Shared;
        const u64 shown = a.is_map    ? HappensBefore::SHOWN_OF_MAPS
                          : is_shared ? HappensBefore::SHOWN_OF_SHARED
                                      : HappensBefore::SHOWN_OF_GLOBAL;
        u64 word = a.at.region->low + g * 4, start = a.at.variable->start;
        u64 offset = a.size < 4 ? a.address - start : word < start ? 0 : word - start;
        // A copy that lands was compared with all others before: with the earlier ones where it was started, with the
        // rest while it was on its way. In the order of the program it stands where it was started.
        if (started) now.step = started->interval == block.interval ? started->step : 0;
        if (a.engine) now.clock = now.block, now.block = a.engine->block, now.interval = a.engine->interval;
        if (UNLIKELY(cell.pending)) {
            const Pending& copy = pending.items[cell.pending - 1];
            record(a, cell, copy.slot, now, offset, &copy.wait);
        }
        if (is_shared && (cell.block != block.linear || cell.interval != block.interval) && !is_clustered()) {
            // Every earlier access of shared memory came before the last barrier: nothing to compare with.
            cell.stores = (cell.block == block.linear ? cell.stores : 0) + writes;
            if (cell.stores > 2) cell.stores = 2;
            cell.block = block.linear;
            cell.interval = block.interval;
            cell.any_write = writes;
            cell.crowded = false;
            each_slot(cell, [](Slot& s) { s.lanes = 0; });
            cell.slots[0] = now;
            return;
        }
        Slot *place = nullptr, *kin = nullptr;
        u32 count = 0;
        each_slot(cell, [&](Slot& s) __attribute__((always_inline)) {
            if (s.lanes) {
                const bool together = a.starters > 1;
                if (UNLIKELY(together)) compare_all(s, now, a, word);
                u32 before = LIKELY(!together) ? lanes_before(s, t, word) : last.before;
                u32 unordered = s.lanes & ~before;
                if (unordered && !started && (cell.any_write | writes) && (s.mask & mask) &&
                    (writes || s.action != Action::Read) && !both_atomic(s, now)) {
                    Slot racing = s;
                    racing.lanes = unordered;
                    const Wait* copy = is_engine(s.block) ? &waits_of_engines.items[s.block - block_count()] : nullptr;
                    record(a, cell, racing, now, offset, copy);
                }
                if (UNLIKELY(a.engine != nullptr) && before &&
                    (together ? last.unshown : is_unshown(s, before, now, t, shown)))
                    record(a, cell, s, now, offset,
                           together   ? &UNSHOWN_TO_PRODUCT
                           : a.is_map ? &UNSHOWN_MAP
                                      : &UNSHOWN);
                if (is_alike(s, now)) kin = &s;
                else if (before && stands_for(now, s)) s.lanes = unordered;
            }
            if (s.lanes) count++;
            else if (!place) place = &s;
        });
        if (writes && cell.stores < 2) cell.stores++;
        if (kin) {
            kin->lanes |= now.lanes;
            if (now.step > kin->step) kin->step = now.step;
            return;
        }
        if ((!request.fences || (!is_shared && count >= MANY)) && two_stand_for(cell, now)) {
            cell.crowded = !writes && mask == 15;
            return;
        }
        if (!place) {
            MoreSlots* more = (MoreSlots*)allocate(sizeof(MoreSlots));
            more->next = cell.more;
            cell.more = more;
            place = more->slots;
        }
        cell.any_write |= writes;
        *place = now;
    }

    // Whether a read of a whole shadow word is that of a slot, of one more lane. (All slots are of reads.)
    static ALWAYS_INLINE bool joins(Slot& s, const Thread& t, u32 site) {
        if (s.site != site || s.warp != t.warp || s.block != block.linear || s.interval != block.interval ||
            s.mask != 15 || s.clock || !s.lanes)
            return false;
        u64 step = steps_of(t);
        s.lanes |= 1u << t.lane;
        if (UNLIKELY(step > s.step)) s.step = u16(step < 65535 ? step : 65535);
        return true;
    }

    // The commonest access by far, recognized quickly: a read of a whole shadow word that nobody has written, by one more lane of a
    // slot, or which two others stand for. Says the same as look_at.
    static ALWAYS_INLINE bool is_quiet_read(const Access& a, Cell& cell) {
        const Thread& t = a.thread;
        const HappensBefore::ThreadClock& mine = HappensBefore::of(t);
        if (cell.any_write | cell.pending | mine.clock || mine.known || HappensBefore::of_block()) return false;
        Slot& earlier = cell.slots[0];
        u32 site = site_of(a.site);
        if (UNLIKELY(request.fences)) {
            bool quiet = cell.crowded;
            for (u32 i = 0; i < 3 && !quiet; i++) quiet = joins(cell.slots[i], t, site);
            for (MoreSlots* m = cell.more; m && !quiet; m = m->next)
                for (u32 i = 0; i < 3 && !quiet; i++) quiet = joins(m->slots[i], t, site);
            return quiet;
        }
        if (joins(earlier, t, site)) return true;
        if (earlier.mask != 15 || !earlier.lanes) return false;
        if (earlier.block == block.linear &&
            (earlier.interval != block.interval || (earlier.warp == t.warp && (earlier.lanes >> t.lane & 1))))
            return false;
        for (u32 i = 1; i < 3; i++) {
            const Slot& other = cell.slots[i];
            if (other.mask != 15 || !other.lanes) return false;
            if (other.block != earlier.block && other.block != block.linear) return true;
            if (other.block != block.linear) continue;
            if (other.interval != block.interval || (other.warp == t.warp && (other.lanes >> t.lane & 1))) return false;
            if (other.block != earlier.block || other.warp != earlier.warp) return true;
        }
        return false;
    }

    static ALWAYS_INLINE void look(const Access& a, const Slot* started) {
        const Region& region = *a.at.region;
        Cell* known = cells.of(a.at);
        if (a.action == Action::Read && a.size == 4 && a.address % 4 == 0 &&
            LIKELY(is_quiet_read(a, known[(a.address - region.low) / 4])))
            return;
        each_shadow_word(region, a.address, a.size, [&](u64 g, u32 mask) { look_at(a, known[g], g, mask, started); });
    }
};
