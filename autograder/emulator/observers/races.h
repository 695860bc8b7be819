// Data races. Each 4-byte granule of shared and global memory remembers up to three accesses; a new
// access races with a remembered one when they overlap, are of different threads, at least one
// writes, not both are atomic, and nothing orders them. Three is enough: an access is forgotten
// only when a remembered one stands for it, or when it already raced; accesses of different warps
// and blocks are preferred, since fewer orders cover them all.
#pragma once
#include "../core.h"

static List<Race> races;
constexpr u64 MAX_RACES = 512;

// Whether two writes store the same value is known only once the second has happened: the bytes
// before it are kept, and compared at the thread's next event.
static struct {
    u64 record, address;
    u32 size;
    u8 before[16];
} unsettled[4];
static u32 unsettled_count;

static void races_settle() {
    for (u32 i = 0; i < unsettled_count; i++)
        if (__builtin_memcmp((void*)unsettled[i].address, unsettled[i].before, unsettled[i].size))
            races.items[unsettled[i].record].same_value = false;
    unsettled_count = 0;
}

// Two atomics do not race, unless one of them is atomic only within its own block.
static bool both_atomic(const Slot& a, const Slot& b) {
    if (a.action != u8(Action::Atomic) || b.action != u8(Action::Atomic)) return false;
    return a.block == b.block || (a.atomic_scope == SCOPE_DEVICE && b.atomic_scope == SCOPE_DEVICE);
}

static u64 steps_of(const Thread& t);
static u16 step_in_interval(const Thread& t) { return u16(steps_of(t) < 65535 ? steps_of(t) : 65535); }

static bool same_warp(const Slot& s, const Thread& t) { return s.block == block.linear && s.thread / 32u == t.warp; }

static ALWAYS_INLINE bool happens_before(const Slot& s, const Thread& t, u64 place) {
    if (s.block == block.linear) {
        if (s.thread == t.linear || s.interval < block.interval) return true;
        if (s.thread / 32u == t.warp && s.clock < t.seen[s.thread % 32u]) return true;
    }
    if (LIKELY(!t.known && !block.known)) return false;
    const Known* both[] = {t.known, block.known};
    for (const Known* k : both) {
        if (look_up(k, block_key(s.block)) > s.interval || look_up(k, thread_key(s.block, s.thread)) > s.clock)
            return true;
        if (s.action == u8(Action::Atomic) && look_up(k, atomic_key(place, s.block, s.thread)) > s.clock) return true;
    }
    return false;
}

// How far apart two threads are: what orders them, and so what the mistake is, depends on it.
static int distance(u32 block_a, u32 thread_a, u32 block_b, u32 thread_b) {
    return block_a != block_b ? 2 : thread_a / 32 != thread_b / 32;
}

// A copy on its way, as the access that it will be.
struct Pending {
    Slot slot;
    Wait wait;
};

static void record_race(Cell& cell, const Slot& s, const Slot& now, const Where& w, u64 address, u32 size,
                        const Pending* copy = nullptr) {
    // In the order of the program, whichever ran first here: by barrier interval, then by what stands
    // earlier on the way from the last barrier; where these tell nothing, by the lines, which the reader knows.
    bool tied = s.interval == now.interval && s.step == now.step;
    bool in_order = tied                         ? s.site <= now.site
                    : s.interval != now.interval ? s.interval < now.interval
                                                 : s.step < now.step;
    const Slot &a = in_order ? s : now, &b = in_order ? now : s;
    u64 i = 0;
    for (; i < races.count; i++) {
        const Race& r = races.items[i];
        if (r.first.at.site == a.site && r.second.at.site == b.site && r.variable == w.id &&
            r.first.action == Action(a.action) && r.second.action == Action(b.action))
            break;
    }
    u64 granule_address = w.region->low + w.granule * 4;
    u64 offset = granule_address < w.variable->start ? 0 : granule_address - w.variable->start;
    if (size < 4) offset = address - w.variable->start;
    if (i == races.count) {
        if (races.count == MAX_RACES) return;
        bool writes = s.action == u8(Action::Write) && now.action == u8(Action::Write);
        races.push() = {.first = {Action(a.action), {a.block, a.thread, a.site}},
                        .second = {Action(b.action), {b.block, b.thread, b.site}},
                        .variable = w.id,
                        .offset = offset,
                        .count = 0,
                        .same_value = writes,
                        .tied = tied,
                        .unawaited = Unawaited::Neither,
                        .wait = {}};
    }
    Race& r = races.items[i];
    if (copy) r.unawaited = in_order ? Unawaited::First : Unawaited::Second, r.wait = copy->wait;
    // The pair that is furthest apart stands for all: what orders it orders the others too.
    if (distance(a.block, a.thread, b.block, b.thread) >
        distance(r.first.at.block, r.first.at.thread, r.second.at.block, r.second.at.thread)) {
        r.first.at = {a.block, a.thread, a.site};
        r.second.at = {b.block, b.thread, b.site};
        r.offset = offset;
    }
    u32 bit = 1u << (i % 32);
    if (!(cell.counted & bit)) {
        cell.counted |= bit;
        r.count++;
    }
    if (r.same_value && size <= 16 && unsettled_count < 4) {
        auto& u = unsettled[unsettled_count++];
        u.record = i, u.address = address, u.size = size;
        __builtin_memcpy(u.before, (void*)address, size);
    }
}

static List<Pending> pending;
static u64 pending_left;

static void races_granule(Thread& t, const Where& w, Cell& cell, u8 mask, u64 address, u32 size, Action action,
                          u32 site, const Slot* started) {
    Slot now = {block.linear,        block.interval, t.clock,    site,          u16(t.linear),
                step_in_interval(t), mask,           u8(action), t.atomic_scope};
    bool writes = action != Action::Read;
    // A copy that lands was compared with all others before: with the earlier ones where it was started, with the rest
    // while it was on its way. In the order of the program it stands where it was started.
    if (started) now.step = started->interval == block.interval ? started->step : 0;
    if (UNLIKELY(cell.pending)) {
        const Pending& copy = pending.items[cell.pending - 1];
        record_race(cell, copy.slot, now, w, address, size, &copy);
    }
    if (w.variable->space == Space::Shared &&
        (cell.block != block.linear || cell.interval != block.interval || !cell.slots[0].mask)) {
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
        bool before = happens_before(s, t, w.region->low + w.granule * 4);
        if (!before && !started && (cell.any_write | writes) && (s.mask & mask) &&
            (writes || s.action != u8(Action::Read)) && !both_atomic(s, now))
            record_race(cell, s, now, w, address, size);
        // A later access that races with all that the earlier one would stands for it.
        bool atomics = both_atomic(s, now);
        bool as_strong =
            action == Action::Write || (s.action == u8(action) && (!atomics || s.atomic_scope >= now.atomic_scope));
        alike += s.action == u8(action) && (s.mask & mask);
        if (before && as_strong && (s.mask & ~mask) == 0) {
            if (!twin) twin = &s;
            else s.mask = 0;
        }
    };
    for (Slot& s : cell.slots) compare(s);
    for (MoreSlots* m = cell.more; m; m = m->next)
        for (Slot& s : m->slots) compare(s);
    if (twin && twin->action != u8(action) && alike >= 3)
        twin->mask = 0;  // or each thread that reads and writes would add one
    else if (twin) place = twin;
    if (!place && alike < 3) {
        // Other bytes, or another kind of access: none of those remembered stands for it.
        MoreSlots* more = (MoreSlots*)allocate(sizeof(MoreSlots));
        more->next = cell.more;
        cell.more = more;
        place = more->slots;
    }
    if (!place) {
        // Unordered with three of its kind: those are kept that differ most.
        Slot* s = cell.slots;
        bool foreign = !same_warp(s[0], t) && !same_warp(s[1], t) && !same_warp(s[2], t);
        if (writes) place = s[0].action == u8(Action::Read) ? &s[0] : s[1].action == u8(Action::Read) ? &s[1] : &s[2];
        else if (foreign)
            for (int i = 0; i < 3 && !place; i++)
                for (int j = 0; j < i && !place; j++)
                    if (s[i].action == u8(Action::Read) && s[j].action == u8(Action::Read) &&
                        s[i].block == s[j].block && s[i].thread / 32u == s[j].thread / 32u)
                        place = &s[i];
        if (!place) return;
    }
    cell.any_write |= writes;
    *place = now;
}

// The commonest access by far, told quickly: a read of a whole granule that nobody has written, and of
// which three reads are remembered that this one would not replace. Says the same as races_granule.
static ALWAYS_INLINE bool quiet_read(const Thread& t, const Where& w, const Cell& cell) {
    if (cell.any_write | cell.pending | t.clock || t.known || block.known) return false;
    if (w.variable->space == Space::Shared && (cell.block != block.linear || cell.interval != block.interval))
        return false;
    u64 group[3], mine = (u64)block.linear << 32 | t.warp;
    for (u32 i = 0; i < 3; i++) {
        const Slot& s = cell.slots[i];
        if (s.mask != 15 || (s.block == block.linear && (s.thread == t.linear || s.interval != block.interval)))
            return false;
        group[i] = (u64)s.block << 32 | s.thread / 32u;
    }
    bool kin = (mine == group[0]) | (mine == group[1]) | (mine == group[2]);
    return kin || (group[0] != group[1] && group[0] != group[2] && group[1] != group[2]);
}

static ALWAYS_INLINE void races_access(Thread& t, Where w, u64 address, u32 size, Action action, u32 site,
                                       const Slot* started = nullptr) {
    if (action == Action::Read && size == 4 && address % 4 == 0 &&
        LIKELY(quiet_read(t, w, w.region->cells[(address - w.region->low) / 4])))
        return;
    u64 first = (address - w.region->low) / 4, last = (address + size - 1 - w.region->low) / 4;
    for (u64 g = first; g <= last; g++) {
        u64 low = w.region->low + g * 4;
        u32 from = address > low ? u32(address - low) : 0;
        u32 to = address + size < low + 4 ? u32(address + size - low) : 4;
        w.granule = g;
        races_granule(t, w, w.region->cells[g], u8(((1u << to) - 1) & ~((1u << from) - 1)), address, size, action, site,
                      started);
    }
}

// From here on until it lands, the copy races with every access of its place, the thread's own too.
static void races_pend(const Thread& t, u64 to, u64 bytes, u32 site, int wait) {
    if (to - module_region.low >= module_region.size) return;
    if (!pending_left++) pending.count = 0;
    pending.push() = {
        {block.linear, block.interval, t.clock, site, u16(t.linear), step_in_interval(t), 15, u8(Action::Write), 0},
        Wait(wait)};
    for (u64 g = (to - module_region.low) / 4; g <= (to + bytes - 1 - module_region.low) / 4; g++)
        module_region.cells[g].pending = u32(pending.count);
}

// The copy is no longer on its way.
static void races_forget(u64 to, u64 bytes) {
    if (to - module_region.low >= module_region.size) return;
    pending_left--;
    for (u64 g = (to - module_region.low) / 4; g <= (to + bytes - 1 - module_region.low) / 4; g++)
        module_region.cells[g].pending = 0;
}

static void races_land(Thread& t, u64 to, u64 bytes, u32 site) {
    if (to - module_region.low >= module_region.size) return;
    u32 number = module_region.cells[(to - module_region.low) / 4].pending;
    const Slot started = number ? pending.items[number - 1].slot : Slot{};  // none: another copy has landed there
    races_forget(to, bytes);
    Where w;
    w.region = &module_region;
    w.variable = find_variable(module_region, to, bytes);
    w.id = u32(w.variable - variables);
    races_access(t, w, to, u32(bytes), Action::Write, site, &started);
}

static void races_answer() { answer.races = {races.items, races.count}; }
