// Data races. Each 4-byte granule of shared and global memory remembers up to three accesses; a new access races with a
// remembered one when they overlap, are of different threads, at least one writes, not both are atomic, and nothing
// orders them. Three is enough: an access is forgotten only when a remembered one stands for it, or when it already
// raced; accesses of different warps and blocks are preferred, since fewer orders cover them all.
#pragma once
#include "happens_before.h"
#include "launch/shadow.h"
#include "launch/stop.h"
#include "observer.h"

struct Races : Observer {
    struct Slot {  // one remembered access
        u32 block, interval, clock;
        u32 site;
        u16 thread, step;
        u8 mask;  // of the granule's four bytes; 0: empty
        Action action;
        u8 atomic_scope;  // of an atomic
    };
    struct MoreSlots {
        Slot slots[3];
        MoreSlots* next;
    };
    struct Cell {
        u32 block, interval;  // shared memory: what the slots are from
        u64 counted;          // the bytes counted here of each race: 4 bits, by its number modulo 16
        bool any_write;
        u32 pending;  // number + 1 of the asynchronous copy on its way here; 0: none
        Slot slots[3];
        MoreSlots* more;  // where threads share the granule's bytes; null: three were enough
    };
    struct Pending {  // a copy on its way, as the access that it will be
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
    static inline Vector<Race> records;
    static inline u64 met;  // races, as often as they were seen: each takes about as long as an access without
    static inline Shadow<Cell> cells;
    static inline Unsettled unsettled[4];
    static inline u32 unsettled_count;
    static inline Vector<Pending> pending;
    static inline u64 pending_left;

    // ---- events
    static void prepare() { cells.prepare(); }

    // Whoever had its place has freed it before.
    static void begin_heap_block(u64 address, u64 bytes, bool) {
        Where w = find_array(address, 1);
        each_granule(*w.region, address, bytes, [&](u64 g, u32) { cells.of(w)[g] = {}; });
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
        pending.push() = {slot(t, site_of(c.site), 15, Action::Write, SCOPE_BLOCK), wait};
        each_granule(module_region, c.to, c.size(), [](u64 g, u32) { cell_of_module(g).pending = u32(pending.count); });
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
        each_granule(module_region, c.to, c.size(), [](u64 g, u32) { cell_of_module(g).pending = 0; });
    }

    // Otherwise an endless loop with a race in each round would take far longer than any other until it is stopped.
    static u64 extra_steps() { return met; }

    static void fill_answer() { answer.races = {records.items, records.count}; }

private:
    static Cell& cell_of_module(u64 granule) {
        return cells.of(find_array(module_region.low + 4 * granule, 1))[granule];
    }

    static __attribute__((noinline)) void compare_values() {
        for (u32 i = 0; i < unsettled_count; i++)
            if (__builtin_memcmp((void*)unsettled[i].address, unsettled[i].before, unsettled[i].size))
                records.items[unsettled[i].record].same_value = false;
        unsettled_count = 0;
    }

    static Slot slot(const Thread& t, u32 site, u32 mask, Action action, u8 atomic_scope) {
        u64 step = steps_of(t);
        return {block.linear, block.interval, HappensBefore::of(t).clock,
                site,         u16(t.linear),  u16(step < 65535 ? step : 65535),
                u8(mask),     action,         atomic_scope};
    }

    // Two atomics do not race, unless one of them is atomic only within its own block.
    static bool both_atomic(const Slot& a, const Slot& b) {
        if (a.action != Action::Atomic || b.action != Action::Atomic) return false;
        return a.block == b.block || (a.atomic_scope == SCOPE_DEVICE && b.atomic_scope == SCOPE_DEVICE);
    }

    static bool same_warp(const Slot& s, const Thread& t) {
        return s.block == block.linear && s.thread / 32u == t.warp;
    }

    static ALWAYS_INLINE bool happens_before(const Slot& s, const Thread& t, u64 word) {
        if (HappensBefore::comes_before(s.block, s.interval, s.thread, s.clock, t)) return true;
        if (LIKELY(!HappensBefore::has_learned(t)) || s.action != Action::Atomic) return false;
        const ClockEntry entry = atomic_entry(HappensBefore::common_address(word), s.block, s.thread);
        return look_up(HappensBefore::of(t).known, entry) > s.clock ||
               look_up(HappensBefore::of_block(), entry) > s.clock;
    }

    // How far apart two threads are: what orders them, and so what the mistake is, depends on it.
    static int distance(const Location& a, const Location& b) {
        if (a.block != b.block) return in_one_cluster(a.block, b.block) ? 2 : 3;
        return a.thread / 32 != b.thread / 32;
    }

    static void record(const Access& a, Cell& cell, const Slot& s, const Slot& now, u64 offset, const Pending* copy) {
        met++;
        // In the order of the program, whichever ran first here: by barrier interval, then by what stands earlier on
        // the way from the last barrier; where these tell nothing, by the lines, which the reader knows.
        bool tied = s.interval == now.interval && s.step == now.step;
        bool in_order = tied                         ? s.site <= now.site
                        : s.interval != now.interval ? s.interval < now.interval
                                                     : s.step < now.step;
        auto side = [](const Slot& of) { return RacingAccess{of.action, {of.block, of.thread, of.site}}; };
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
        if (copy) r.unawaited = in_order ? Unawaited::First : Unawaited::Second, r.wait = copy->wait;
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

    static void look_at(Access a, Cell& cell, u64 g, u32 mask, const Slot* started) {
        const Thread& t = a.thread;
        Slot now = slot(t, site_of(a.site), mask, a.action, t.atomic_scope);
        bool writes = a.action != Action::Read;
        u64 word = a.at.region->low + g * 4, start = a.at.variable->start;
        u64 offset = a.size < 4 ? a.address - start : word < start ? 0 : word - start;
        // A copy that lands was compared with all others before: with the earlier ones where it was started, with the
        // rest while it was on its way. In the order of the program it stands where it was started.
        if (started) now.step = started->interval == block.interval ? started->step : 0;
        if (UNLIKELY(cell.pending)) {
            const Pending& copy = pending.items[cell.pending - 1];
            record(a, cell, copy.slot, now, offset, &copy);
        }
        if (a.at.variable->space == Space::Shared &&
            (cell.block != block.linear || cell.interval != block.interval || !cell.slots[0].mask) && !is_clustered()) {
            // Every earlier access of shared memory came before the last barrier: nothing to compare with.
            cell.block = block.linear;
            cell.interval = block.interval;
            cell.any_write = writes;
            cell.slots[0] = now;
            cell.slots[1].mask = cell.slots[2].mask = 0;
            for (MoreSlots* m = cell.more; m; m = m->next) m->slots[0].mask = m->slots[1].mask = m->slots[2].mask = 0;
            return;
        }
        Slot *place = nullptr, *twin = nullptr;
        u32 alike = 0;  // remembered accesses of this kind that share a byte with this one
        auto compare = [&](Slot& s) {
            if (!s.mask) {
                if (!place) place = &s;
                return;
            }
            bool before = happens_before(s, t, word);
            if (!before && !started && (cell.any_write | writes) && (s.mask & mask) &&
                (writes || s.action != Action::Read) && !both_atomic(s, now))
                record(a, cell, s, now, offset, nullptr);
            // A later access that races with all that the earlier one would stands for it.
            bool atomics = both_atomic(s, now);
            bool as_strong =
                a.action == Action::Write || (s.action == a.action && (!atomics || s.atomic_scope >= now.atomic_scope));
            alike += s.action == a.action && (s.mask & mask);
            if (before && as_strong && (s.mask & ~mask) == 0) {
                if (!twin) twin = &s;
                else s.mask = 0;
            }
        };
        for (Slot& s : cell.slots) compare(s);
        for (MoreSlots* m = cell.more; m; m = m->next)
            for (Slot& s : m->slots) compare(s);
        if (twin && twin->action != a.action && alike >= 3)
            twin->mask = 0;  // or each thread that reads and writes would add one
        else if (twin) place = twin;
        if (!place && alike < 3) {
            // Other bytes, or another kind of access: none of those remembered stands for it.
            MoreSlots* more = (MoreSlots*)allocate(sizeof(MoreSlots));
            more->next = cell.more;
            cell.more = more;
            place = more->slots;
        }
        if (!place) place = least_different(cell.slots, t, writes);
        if (!place) return;
        cell.any_write |= writes;
        *place = now;
    }

    // Of three remembered accesses that are unordered with a new one of their kind: which to forget, so that those stay
    // that differ most.
    static Slot* least_different(Slot* s, const Thread& t, bool writes) {
        if (writes) return s[0].action == Action::Read ? &s[0] : s[1].action == Action::Read ? &s[1] : &s[2];
        if (same_warp(s[0], t) || same_warp(s[1], t) || same_warp(s[2], t)) return nullptr;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < i; j++)
                if (s[i].action == Action::Read && s[j].action == Action::Read && s[i].block == s[j].block &&
                    s[i].thread / 32u == s[j].thread / 32u)
                    return &s[i];
        return nullptr;
    }

    // The commonest access by far, told quickly: a read of a whole granule that nobody has written, and of which three
    // reads are remembered that this one would not replace. Says the same as look_at.
    static ALWAYS_INLINE bool is_quiet_read(const Access& a, const Cell& cell) {
        const Thread& t = a.thread;
        const HappensBefore::ThreadClock& mine = HappensBefore::of(t);
        if (cell.any_write | cell.pending | mine.clock || mine.known || HappensBefore::of_block()) return false;
        if (a.at.variable->space == Space::Shared && (cell.block != block.linear || cell.interval != block.interval) &&
            !is_clustered())
            return false;
        u64 group[3], own = (u64)block.linear << 32 | t.warp;
        for (u32 i = 0; i < 3; i++) {
            const Slot& s = cell.slots[i];
            if (s.mask != 15 || (s.block == block.linear && (s.thread == t.linear || s.interval != block.interval)))
                return false;
            group[i] = (u64)s.block << 32 | s.thread / 32u;
        }
        bool kin = (own == group[0]) | (own == group[1]) | (own == group[2]);
        return kin || (group[0] != group[1] && group[0] != group[2] && group[1] != group[2]);
    }

    static ALWAYS_INLINE void look(const Access& a, const Slot* started) {
        const Region& region = *a.at.region;
        Cell* known = cells.of(a.at);
        if (a.action == Action::Read && a.size == 4 && a.address % 4 == 0 &&
            LIKELY(is_quiet_read(a, known[(a.address - region.low) / 4])))
            return;
        each_granule(region, a.address, a.size, [&](u64 g, u32 mask) { look_at(a, known[g], g, mask, started); });
    }
};
