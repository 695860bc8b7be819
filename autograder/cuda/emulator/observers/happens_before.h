// Happens-before. Within a block a barrier orders everything; within a warp __syncwarp orders the lanes of its mask;
// anything else needs a fence and an atomic on each side. A thread's fence takes a snapshot of its clock, its next
// atomic releases the snapshot at that address, and whoever reads that address by an atomic acquires it at its own next
// fence or barrier. After a barrier the atomic may be that of any thread that was there: __threadfence() is PTX's
// fence.sc, all of which have one order. The barrier of a cluster orders accesses likewise; in two halves, a thread's
// before its arrival and after its wait. A bulk copy comes after what its thread has started it after, and before what
// follows a wait for it; it reads by another proxy, to which a fence of proxies must have shown writes.
#pragma once
#include "events/observer.h"
#include "events/vector_clock.h"

struct HappensBefore : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::Covered;
    static constexpr int turn = -9;  // the others query it
    struct ThreadClock {
        u32 clock;                       // grows at each __syncwarp and each fence
        bool fresh[2];                   // `releases` is of a fence since the last barrier
        const VectorClock* known;        // acquired from others
        const VectorClock* acquires[2];  // pending, by scope: read by atomics, acquired at the next fence or barrier
        const VectorClock* releases[2];  // pending, by scope: what a later atomic releases; null: nothing
        u32 seen[32];                    // lane l's accesses with clock < seen[l] come before mine
    };
    static inline ThreadClock* threads;        // by slot
    static inline const VectorClock** blocks;  // by slot: acquired by any thread of the block before its last barrier
    struct ClusterClock {
        const VectorClock *arriving, *opened;  // what comes before the barrier's next opening, and before its last one
    };
    static inline ClusterClock* clusters;              // by slot
    static inline Vector<const VectorClock*> engines;  // by number: what their copies so far come after

    static ThreadClock& of(const Thread& t) { return threads[t.slot]; }
    static const VectorClock* of_block() { return blocks[block.slot]; }

    // The one address of a place for all blocks.
    static u64 common_address(u64 address) {
        return slots_size && address - shared_low < shared_end - shared_low ? in_slot(block.slot, address) : address;
    }

    // Of other threads, by anything but barriers of its block and its warp.
    static ALWAYS_INLINE bool has_learned(const Thread& t) { return of(t).known || of_block(); }

    // Of accesses of a block in this interval, by lanes of a warp at this clock: which come before what `t` does now.
    static ALWAYS_INLINE u32 lanes_before(u32 in_block, u32 interval, u32 warp, u32 lanes, u32 clock, const Thread& t) {
        const ThreadClock& mine = of(t);
        u32 before = 0;
        if (in_block == block.linear) {
            if (interval < block.interval) return lanes;
            if (warp == t.warp) {
                before = lanes & 1u << t.lane;
                if (UNLIKELY(mine.clock)) before |= seen_lanes(mine, lanes, clock);
            }
        }
        if (LIKELY(!has_learned(t))) return before;
        return before | covered_lanes(mine.known, in_block, interval, warp, lanes & ~before, clock) |
               covered_lanes(of_block(), in_block, interval, warp, lanes & ~before, clock);
    }

    // The same of one thread's access.
    static bool comes_before(u32 in_block, u32 interval, u32 thread, u32 clock, const Thread& t) {
        return lanes_before(in_block, interval, thread / 32, 1u << thread % 32, clock, t);
    }
    static bool covers(const VectorClock* c, u32 in_block, u32 interval, u32 thread, u32 clock) {
        return covered_lanes(c, in_block, interval, thread / 32, 1u << thread % 32, clock);
    }

    // Whether a block of a cluster must have begun.
    static bool has_begun(u32 in_block, const Thread& t) {
        return look_up(of(t).known, block_entry(in_block)) || look_up(of_block(), block_entry(in_block));
    }
    // All that comes before the end of the block.
    static const VectorClock* before_end() {
        const VectorClock* all = of_block();
        for (u32 i = 0; i < block.size; i++) all = join(all, mine()[i].known);
        return all;
    }

    // In the keys of a clock's entries for blocks and threads: not what is known, but what of that is shown; of tensor
    // maps, what is half shown, too.
    static constexpr u64 SHOWN_OF_SHARED = 1ull << 61, SHOWN_OF_GLOBAL = 1ull << 60, SHOWN_OF_MAPS = 1ull << 59;
    static constexpr u64 RELEASED_OF_MAPS = 1ull << 58;

    // ---- events
    static void prepare() {
        threads = allocate_array<ThreadClock>(request.residents * block.size);
        blocks = allocate_array<const VectorClock*>(request.residents);
        clusters = allocate_array<ClusterClock>(request.residents);
        in_shared = allocate_array<ReleasedTable>(request.residents);
    }

    static void begin_block() {
        __builtin_memset(mine(), 0, block.size * sizeof(ThreadClock));
        blocks[block.slot] = nullptr;
        in_shared[block.slot].forget();
    }

    static void fence(Thread& t, int scope) {
        acquire_pending(t, scope);
        const VectorClock* all = snapshot(t);
        ThreadClock& c = of(t);
        for (int s = SCOPE_BLOCK; s <= scope; s++) c.releases[s] = all, c.fresh[s] = true;
        fences++;
    }

    static void release(Thread& t, u64 address, int scope) {
        const VectorClock* all = snapshot(t);
        publish(t, address, all, scope == SCOPE_DEVICE ? all : nullptr);
    }

    static void acquire(Thread& t, u64 address, int scope) {
        read_released(t, address, scope);
        acquire_pending(t, scope);
    }

    // An atomic releases what the thread's last fence covered.
    static void after_atomic(Thread& t, u64 address) {
        read_released(t, address, t.atomic_scope);
        if (t.atomic_part == Part::Loads) return;
        ThreadClock& c = of(t);
        bool device = t.atomic_scope == SCOPE_DEVICE;
        publish(t, address, c.releases[SCOPE_BLOCK], device ? c.releases[SCOPE_DEVICE] : nullptr);
    }

    static void start_bulk_copy(Thread& t, const CopyEngine& e, Space, Action, u64, const void*) {
        while (engines.count < waits_of_engines.count) engines.push() = nullptr;
        const VectorClock*& before = engines.items[e.block - block_count()];
        before = join(before, snapshot(t));
    }

    static void complete_at_mbarrier(const CopyEngine& e, u64 address) {
        const VectorClock* all =
            join(engines.items[e.block - block_count()], make_clock(block_entry(e.block), e.interval));
        publish(*current, address, all, all);
    }

    static void await_bulk_copies(Thread& t, const CopyEngine& e) {
        any_released = true;
        of(t).known = join(of(t).known, make_clock(block_entry(e.block), e.interval));
    }

    // What comes before the grid that a thread launches now; and which of some lanes' accesses do.
    static const VectorClock* before_child(Thread& t) { return snapshot(t); }
    static u32 lanes_before_child(const VectorClock* c, u32 in_block, u32 interval, u32 warp, u32 lanes, u32 clock) {
        return covered_lanes(c, in_block, interval, warp, lanes, clock);
    }

    // The grid before this one counts as one more block.
    static void await_earlier_grid(Thread& t) {
        any_released = true;
        of(t).known = join(of(t).known, make_clock(block_entry(EARLIER_GRID), 1));
    }
    static bool knows_earlier_grid(const Thread& t) {
        const ClockEntry entry = block_entry(EARLIER_GRID);
        return look_up(of(t).known, entry) || look_up(of_block(), entry);
    }

    static void fence_proxy(Thread& t, bool shared, bool global) {
        any_released = true;
        const VectorClock* all = snapshot(t);
        const VectorClock*& known = of(t).known;
        if (shared) known = join_shown(known, all, SHOWN_OF_SHARED);
        if (global) known = join_shown(known, all, SHOWN_OF_GLOBAL);
    }

    // One thread releases what it knows, and another acquires of that what it knows to be released.
    static void fence_maps(Thread& t, bool acquires) {
        any_released = true;
        const VectorClock* all = snapshot(t);
        const VectorClock*& known = of(t).known;
        known = acquires ? join_acquired(known, all) : join_shown(known, all, RELEASED_OF_MAPS);
    }

    // Of writes of a block in this interval, by lanes of a warp at this clock: which `t` knows to be shown to the engines.
    static u32 lanes_shown(u32 in_block, u32 interval, u32 warp, u32 lanes, u32 clock, u64 shown, const Thread& t) {
        u32 found = 0;
        const VectorClock* const clocks[] = {of(t).known, of_block()};
        for (const VectorClock* c : clocks) {
            if (look_up(c, {block_entry(in_block).key | shown, in_block % 32}) > interval) return lanes;
            found |= lanes_above(c, thread_entry(in_block, warp * 32).key | shown, lanes, clock);
        }
        return found;
    }

    static void open_barrier() {
        if (fences) share_fences(mine(), block.size, ~0u, false);
        if (!any_released) return;  // nobody can have learned anything
        for (u32 i = 0; i < block.size; i++) {
            acquire_pending(block.threads[i], SCOPE_DEVICE);
            blocks[block.slot] = join(blocks[block.slot], mine()[i].known);
            mine()[i].known = nullptr;
        }
    }

    static void synchronize_warp(u32 warp, u32 lanes) {
        u32 seen[32] = {};
        const VectorClock* known = nullptr;
        ThreadClock* base = mine() + warp * 32;
        for (u32 lane = 0; lane < 32; lane++) {
            if (!(lanes >> lane & 1)) continue;
            for (u32 l = 0; l < 32; l++)
                if (base[lane].seen[l] > seen[l]) seen[l] = base[lane].seen[l];
            if (base[lane].clock + 1 > seen[lane]) seen[lane] = base[lane].clock + 1;
            acquire_pending(block.threads[warp * 32 + lane], SCOPE_DEVICE);
            known = join(known, base[lane].known);
        }
        for (u32 lane = 0; lane < 32; lane++) {
            if (!(lanes >> lane & 1)) continue;
            base[lane].clock++;
            for (u32 l = 0; l < 32; l++) base[lane].seen[l] = seen[l];
            base[lane].known = known;
        }
        if (fences) share_fences(base, 32, lanes, true);
    }

    static void arrive_at_cluster(Thread& t) {
        ClusterClock& c = clusters[block.cluster->slot];
        c.arriving = join(c.arriving, snapshot(t));
    }

    static void open_cluster_barrier(const Cluster& cluster) {
        ClusterClock& c = clusters[cluster.slot];
        each_waiting(cluster, [&](Thread& t) {
            if (t.arrival == Arrival::Whole) c.arriving = join(c.arriving, snapshot(t));  // else it has told before
        });
        each_whole(cluster, [&](const Block& b) {
            c.arriving = join(c.arriving, join(blocks[b.slot], make_clock(block_entry(b.linear), b.interval)));
        });
        c = {nullptr, c.arriving};
        any_released = true;
        each_waiting(cluster, [](Thread& t) { go_past_cluster(t); });
        each_whole(cluster, [&](const Block& b) { blocks[b.slot] = c.opened; });
    }

    static void go_past_cluster(Thread& t) { of(t).known = join(of(t).known, clusters[block.cluster->slot].opened); }

    static void end_block() {
        if (block.cluster && block.cluster->ended == cluster_size()) clusters[block.cluster->slot] = {};
    }

private:
    static ALWAYS_INLINE u32 seen_lanes(const ThreadClock& mine, u32 lanes, u32 clock) {
        u32 seen = 0;
        for (u32 left = lanes; left; left &= left - 1) {
            u32 lane = u32(__builtin_ctz(left));
            seen |= u32(mine.seen[lane] > clock) << lane;
        }
        return seen;
    }
    static u32 covered_lanes(const VectorClock* c, u32 in_block, u32 interval, u32 warp, u32 lanes, u32 clock) {
        if (!c || !lanes) return 0;
        if (look_up(c, block_entry(in_block)) > interval) return lanes;
        return lanes_above(c, thread_entry(in_block, warp * 32).key, lanes, clock);
    }

    static inline u64 fences;  // so far
    static constexpr u32 EARLIER_GRID = ~0u;
    static constexpr u64 ALL_SHOWN = SHOWN_OF_SHARED | SHOWN_OF_GLOBAL | SHOWN_OF_MAPS | RELEASED_OF_MAPS;

    static const VectorClock* join_shown(const VectorClock* to, const VectorClock* c, u64 shown) {
        if (!c) return to;
        if (c->bit) {
            for (const VectorClock* side : ((const ClockBranch*)c)->sides) to = join_shown(to, side, shown);
            return to;
        }
        const bool of_atomics = c->key >> 62 == 1, is_shown = c->key & ALL_SHOWN;
        if (of_atomics || is_shown) return to;
        LeafValues values;
        for (u32 lane = 0; lane < 32; lane++) values.of[lane] = value_of((const ClockLeaf*)c, lane);
        return join(to, make_leaf(c->key | shown, values));
    }
    static const VectorClock* join_acquired(const VectorClock* to, const VectorClock* c) {
        if (!c) return to;
        if (c->bit) {
            for (const VectorClock* side : ((const ClockBranch*)c)->sides) to = join_acquired(to, side);
            return to;
        }
        if (c->key >> 62 == 1 || !(c->key & RELEASED_OF_MAPS)) return to;
        LeafValues values;
        for (u32 lane = 0; lane < 32; lane++) values.of[lane] = value_of((const ClockLeaf*)c, lane);
        return join(to, make_leaf((c->key & ~RELEASED_OF_MAPS) | SHOWN_OF_MAPS, values));
    }

    // The blocks of which all threads wait at a whole barrier; and each waiting thread of the others.
    template <class F> static void each_whole(const Cluster& c, F each) {
        for (u32 rank = 0; rank < cluster_size(); rank++)
            if (c.blocks[rank]->whole) each(*c.blocks[rank]);
    }
    template <class F> static void each_waiting(const Cluster& c, F each) {
        for (u32 rank = 0; rank < cluster_size(); rank++) {
            if (c.blocks[rank]->whole) continue;
            block = *c.blocks[rank];
            for (u32 i = 0; i < block.size; i++)
                if (block.threads[i].state == State::Cluster) each(block.threads[i]);
        }
    }

    static ThreadClock* mine() { return threads + block.slot * block.size; }

    static void acquire_pending(const Thread& t, int scope) {
        ThreadClock& c = of(t);
        for (int s = SCOPE_BLOCK; s <= scope; s++) {
            c.known = join(c.known, c.acquires[s]);
            c.acquires[s] = nullptr;
        }
    }

    // What comes before the thread's next access; its accesses from here on are not in it.
    static const VectorClock* snapshot(Thread& t) {
        ThreadClock& c = of(t);
        LeafValues warp;
        for (u32 lane = 0; lane < 32; lane++) warp.of[lane] = lane == t.lane ? c.clock + 1 : c.seen[lane];
        u64 key = thread_entry(block.linear, t.linear).key;
        const VectorClock* mine = join(make_leaf(key, warp), make_clock(block_entry(block.linear), block.interval));
        c.clock++;
        return join(join(c.known, of_block()), mine);
    }

    // What the fences of these threads have covered since the last barrier, each may release from here on. (What was
    // covered before that barrier is in every snapshot taken since.)
    static void share_fences(ThreadClock* of_these, u32 count, u32 lanes, bool fresh) {
        for (int scope = SCOPE_BLOCK; scope <= SCOPE_DEVICE; scope++) {
            static const VectorClock* parts[MAX_THREADS];
            u32 n = 0;
            for (u32 i = 0; i < count; i++)
                if ((lanes >> i % 32 & 1) && of_these[i].fresh[scope]) parts[n++] = of_these[i].releases[scope];
            if (!n) continue;
            for (u32 step = 1; step < n; step *= 2)
                for (u32 i = 0; i + step < n; i += 2 * step) parts[i] = join(parts[i], parts[i + step]);
            for (u32 i = 0; i < count; i++)
                if (lanes >> i % 32 & 1) of_these[i].releases[scope] = parts[0], of_these[i].fresh[scope] = fresh;
        }
    }

    // ---- what has been released at an address: an open hash table that doubles
    struct Released {
        u64 address;
        const VectorClock* device;
        const VectorClock* in_block;
        u32 block;
    };
    struct ReleasedTable {
        Released* entries;
        u64 capacity, count;

        Released& find(u64 address) {  // or the free entry where it belongs
            u64 h = address * 0x9e3779b97f4a7c15 >> 20;
            while (entries[h % capacity].address && entries[h % capacity].address != address) h++;
            return entries[h % capacity];
        }
        Released& make(u64 address) {
            if (count * 2 >= capacity) {
                Released* old = entries;
                u64 n = capacity;
                capacity = n ? n * 2 : 256;
                entries = allocate_array<Released>(capacity);
                for (u64 i = 0; i < n; i++)
                    if (old[i].address) find(old[i].address) = old[i];
            }
            Released& r = find(address);
            if (!r.address) r.address = address, count++;
            return r;
        }
        void forget() {
            if (count) __builtin_memset(entries, 0, capacity * sizeof(Released));
            count = 0;
        }
    };
    static inline ReleasedTable in_global;
    static inline ReleasedTable* in_shared;  // by slot: all blocks have their shared memory at the same addresses
    static inline bool any_released;

    // Of a common address.
    static ReleasedTable& table_of(u64 address) {
        if (is_in_slots(address)) return in_shared[slot_of(address)];
        return is_shared(address) ? in_shared[block.slot] : in_global;
    }

    static void read_released(const Thread& t, u64 address, int scope) {
        if (LIKELY(!any_released)) return;
        address = common_address(address);
        ReleasedTable& table = table_of(address);
        if (!table.count) return;
        const Released& r = table.find(address);
        if (!r.address) return;
        ThreadClock& c = of(t);
        if (scope == SCOPE_DEVICE) c.acquires[SCOPE_DEVICE] = join(c.acquires[SCOPE_DEVICE], r.device);
        if (r.block == block.linear) c.acquires[SCOPE_BLOCK] = join(c.acquires[SCOPE_BLOCK], r.in_block);
    }

    static void publish(const Thread& t, u64 address, const VectorClock* in_block, const VectorClock* device) {
        if (!in_block && !device) return;
        address = common_address(address);
        const VectorClock* itself = make_clock(atomic_entry(address & ~3ull, block.linear, t.linear), of(t).clock + 1);
        any_released = true;
        Released& r = table_of(address).make(address);
        if (device) r.device = join(join(r.device, device), itself);
        if (r.block != block.linear) r.in_block = nullptr;
        r.block = block.linear;
        if (in_block) r.in_block = join(join(r.in_block, in_block), itself);
    }
};
