// Memory traffic, per thread and per warp: what is counted, and what the requests of each instruction cost.
#pragma once
#include "counting/at_best.h"
#include "counting/request_log.h"
#include "launch/stop.h"
#include "launch/memory.h"
#include "launch/workers.h"
#include "events/observer.h"

struct Traffic : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::TakesPart;
    static constexpr int turn = -8;
    static constexpr u32 MAX_SITES = 4096;

    struct Sums {
        Totals global[3], shared[3];  // by Action
        u64 remote[3];                // accesses of other blocks' shared memory, by Action
        u64 barriers;
        u64 constant_loads, shuffles, votes, combinations, matrix_products, compare_and_swaps;
    };
    // What the requests of one instruction cost, in one kind of memory, over the whole launch.
    struct Site {
        u32 site;
        Space space;
        Action action;
        Totals totals;
    };
    struct Seen {  // by one worker
        Sums sums;
        u32 site_count;
        Site sites[MAX_SITES];
    };
    struct Aside {  // what a block that is put aside has done at an instruction so far
        RequestLog* log;
        u64 accesses[32], at_best;
    };
    static inline Seen* seen;                    // by worker
    static inline Seen* mine;                    // of this one
    static inline u16* ids;                      // by site_key: number + 1 of its Site
    static inline RequestLog*** logs;            // [warp][number of the Site], and a last one for what has no Site
    static inline Vector<RequestLog*>* touched;  // [warp], since the last barrier
    static inline Vector<Aside>* aside;          // by the block's slot
    static inline RequestLog* last;              // where the last access went; null: it is the first there

    // ---- events
    static void prepare() {
        seen = mine = allocate_by_worker<Seen>();
        ids = allocate_array<u16>(8 * request.module_image + 8);
        logs = allocate_array<RequestLog**>(block.warps);
        touched = allocate_array<Vector<RequestLog*>>(block.warps);
        for (u32 w = 0; w < block.warps; w++) logs[w] = allocate_array<RequestLog*>(MAX_SITES + 1);
        aside = allocate_array<Vector<Aside>>(request.residents);
    }

    static ALWAYS_INLINE void issue(const Access& a) {
        u32 site = site_of(a.site);
        u32 id = in_kernel(a.site) ? ids[site_key(site, a.at.variable->space, a.action, false)] : 0;
        last = id ? logs[a.thread.warp][id - 1] : nullptr;
        if (LIKELY(last && last->touched && a.size == last->view.width) &&
            LIKELY(goes_on(*last, a.thread.warp, a.thread.lane, a.address)))
            return;
        odd_access(a.thread, *a.at.variable, a.address, a.size, a.action, a.site);
    }

    static void wait_at_barrier(const Thread&, const void*) { mine->sums.barriers++; }
    static void pass_barrier() { mine->sums.barriers++; }
    static void read_constant(const Access&) { mine->sums.constant_loads++; }
    static void access_remotely(const Access& a) {
        mine->sums.remote[u32(a.action)]++;
        find_log(a.thread.warp, a.site, Space::Shared, a.action, true).accesses[a.thread.lane]++;
    }
    static void compare_and_swap() { mine->sums.compare_and_swaps++; }
    // As if a warp's lanes made it, 16 bytes each.
    static void start_bulk_copy(const Thread& t, const CopyEngine&, Space space, Action action, u64 bytes,
                                const void* site) {
        if (!bytes) return;
        const u64 lanes = (bytes + 15) / 16, requests = (lanes + 31) / 32, sectors = (bytes + 31) / 32;
        RequestLog& log = find_log(t.warp, site, space, action, false);
        log.view.width = 16;
        log.accesses[t.lane] += requests;
        Totals* const sums[] = {log.sum, log.here};
        for (Totals* sum : sums) {
            if (!sum) continue;
            sum->accesses += lanes, sum->bytes += bytes;
            sum->requests += requests, sum->units += sectors, sum->units_at_best += sectors;
        }
    }
    static void warp_operation(const Thread& t, const char* function) {
        if (!function) return;
        if (__builtin_strstr(function, "matrix")) return;
        if (__builtin_strstr(function, "mma")) mine->sums.matrix_products += t.lane == 0;
        else if (__builtin_strstr(function, "shfl")) mine->sums.shuffles++;
        else mine->sums.votes++, mine->sums.combinations += combines(function);
    }

    static void open_barrier() { end_interval(); }
    static void end_block() {
        end_interval();
        for (u32 warp = 0; warp < block.warps; warp++) count_at_best(warp);
    }
    static void finish() { flush(); }

    static void begin_block() {
        each_log([](RequestLog& log, u32) {
            __builtin_memset(log.accesses, 0, sizeof log.accesses);
            log.at_best = 0;
        });
    }

    static void put_block_aside() {
        flush();
        Vector<Aside>& of_block = aside[block.slot];
        of_block.count = 0;
        each_log([&](RequestLog& log, u32) {
            u64 any = 0;
            for (u64 n : log.accesses) any |= n;
            if (!any) return;
            Aside& a = of_block.push();
            a.log = &log;
            __builtin_memcpy(a.accesses, log.accesses, sizeof log.accesses);
            a.at_best = log.at_best;
            __builtin_memset(log.accesses, 0, sizeof log.accesses);
            log.at_best = 0;
        });
    }

    static void take_block_up() {
        begin_block();
        const Vector<Aside>& of_block = aside[block.slot];
        for (u64 i = 0; i < of_block.count; i++) {
            __builtin_memcpy(of_block.items[i].log->accesses, of_block.items[i].accesses,
                             sizeof of_block.items[i].accesses);
            of_block.items[i].log->at_best = of_block.items[i].at_best;
        }
    }

    // Requests in which each lane takes part are done.
    static ALWAYS_INLINE void end_pass(u32 warp) {
        const Vector<RequestLog*>& these = touched[warp];
        for (u64 i = 0; i < these.count; i++)
            if (UNLIKELY(these.items[i]->count >= 1024)) trim(*these.items[i], live_lanes(block, warp));
    }

    static void start_worker() { mine = seen + worker; }
    static void join_worker(u32 k) {
        const u64* more = (const u64*)&seen[k].sums;
        u64* sum = (u64*)&mine->sums;
        for (u64 i = 0; i < sizeof(Sums) / sizeof(u64); i++) sum[i] += more[i];
        for (u32 i = 0; i < seen[k].site_count; i++) {
            const Site& other = seen[k].sites[i];
            u32 id = id_of(other.site, other.space, other.action, false);  // only the full check knows remote ones
            if (!id) continue;
            Totals& here = mine->sites[id - 1].totals;
            here.requests += other.totals.requests;
            here.units += other.totals.units;
            here.conflicts += other.totals.conflicts;
            here.as_stores += other.totals.as_stores;
            here.units_at_best += other.totals.units_at_best;
        }
    }

    static void fill_answer() {
        fill_counts();
        SiteTraffic* sites = allocate_array<SiteTraffic>(mine->site_count);
        u64 n = 0;
        for (u32 i = 0; i < mine->site_count; i++) {
            const Site& s = mine->sites[i];
            const Totals& t = s.totals;
            u64 units = s.action == Action::Atomic ? t.as_stores : t.units;
            // No request is ever cheaper than one. One that only some lanes make may still be one too many.
            if (units <= t.requests && units <= t.units_at_best) continue;
            sites[n++] = {s.site, s.space, s.action, t.requests, units, t.conflicts, t.units_at_best};
        }
        answer.traffic = {sites, n};
    }

    // Calls `each(log, warp)` for every log of the block's warps.
    template <class F> static void each_log(F each) {
        for (u32 warp = 0; warp < block.warps; warp++) {
            for (u32 i = 0; i < mine->site_count; i++)
                if (RequestLog* log = logs[warp][i]) each(*log, warp);
            if (RequestLog* log = logs[warp][MAX_SITES]) each(*log, warp);
        }
    }

    // The commonest access by far: the lane comes to the same iteration as others, and keeps its distance. False: it is
    // not that one. (inline_hooks.cpp says the same.)
    static ALWAYS_INLINE bool goes_on(RequestLog& log, u32 warp, u32 lane, u64 address) {
        LaneCursor& me = log.view.lane[lane];
        const RequestSlot& next = *me.next;
        bool fits = u64(me.next - log.requests) < log.count && !next.odd && next.loop_hash == running.loop_hash &&
                    next.start + u64(me.delta) == address;
        if (UNLIKELY(!fits || log.searched)) return begins(log, warp, lane, address);
        me.next++;
        return true;
    }

private:
    // Whether it gives what all have together, but for votes, of which each lane can make what it likes.
    static bool combines(const char* function) {
        auto has = [&](const char* part) { return __builtin_strstr(function, part) != nullptr; };
        return has("educe") || has("scan") || has("Scan") || has("__syncthreads");
    }

    static Totals& totals(Space space, Action action) {
        return (space == Space::Shared ? mine->sums.shared : mine->sums.global)[u32(action)];
    }

    // The lanes of a warp that go one after the other, or some here and some there, could have gone together. But no
    // request needs more than it takes, and a few accesses alone no more than one sector, or one pass over the banks,
    // each: what they leave must not pay for scattered ones elsewhere.
    static void count_at_best(u32 warp) {
        u64 of_lane[6][WIDTHS][32] = {}, of_sites[6][WIDTHS] = {};
        for (u32 i = 0; i < mine->site_count; i++) {
            const RequestLog* log = logs[warp][i];
            if (!log || log->remote) continue;
            u32 kind = 3 * (log->space == Space::Shared) + u32(log->action);
            u32 width = 31 - u32(__builtin_clz(log->view.width));
            for (u32 lane = 0; lane < 32; lane++) of_lane[kind][width][lane] += log->accesses[lane];
            u64 together = of_busiest(cost_at_best(log->view.width, log->space), log->accesses);
            u64 best = together < log->at_best ? together : log->at_best;
            of_sites[kind][width] += best;
            log->here->units_at_best += best;
        }
        for (u32 kind = 0; kind < 6; kind++) {
            Space space = kind / 3 ? Space::Shared : Space::Global;
            totals(space, Action(kind % 3)).units_at_best += at_best_together(of_lane[kind], of_sites[kind], space);
        }
    }

    // An instruction has an id for each kind of memory that it reads, and for each that it writes: a struct's copy does
    // both, and a pointer may lead to either, or to another block of the cluster. (An atomic is told by a call of its own.)
    static u32 site_key(u32 site, Space space, Action action, bool remote) {
        return 8 * site + 4 * remote + 2 * (space == Space::Shared) + (action == Action::Write);
    }

    // The number of what an instruction does to one kind of memory, from 1; 0 if there are too many.
    static u32 id_of(u32 site, Space space, Action action, bool remote) {
        u16& id = ids[site_key(site, space, action, remote)];
        if (!id && mine->site_count < MAX_SITES) {
            mine->sites[mine->site_count] = {site, space, action, {}};
            id = u16(++mine->site_count);
        }
        return id;
    }

    // What a warp does at an instruction, in one kind of memory. (What has no Site goes to one log, which only counts.)
    static RequestLog& find_log(u32 warp, const void* at, Space space, Action action, bool remote) {
        u32 id = in_kernel(at) ? id_of(site_of(at), space, action, remote) : 0;
        if (!id && in_kernel(at)) stop_crash("many accesses", at);  // its requests would cost nothing
        RequestLog*& log = logs[warp][id ? id - 1 : MAX_SITES];
        if (log) return *log;
        log = (RequestLog*)allocate(sizeof(RequestLog));
        log->view.lane = log->view.lanes;
        if (!id) return *log;
        log->site = site_of(at);
        log->space = space;
        log->action = action;
        log->remote = remote;
        log->sum = &totals(space, action);
        log->here = &mine->sites[id - 1].totals;
        return *log;
    }

    static void touch(RequestLog& log, u32 warp) {
        log.touched = true;
        touched[warp].push() = &log;
    }

    // What is not the commonest access: the log's first, or one out of step.
    static __attribute__((noinline)) void odd_access(const Thread& t, const Variable& variable, u64 address, u32 size,
                                                     Action action, const void* at) {
        Space space = variable.space == Space::Shared ? Space::Shared : Space::Global;
        RequestLog& log = last ? *last : find_log(t.warp, at, space, action, false);
        if (log.here && !log.touched) {
            touch(log, t.warp);
            log.view.width = size;
            log.known = 0;
        }
        if (log.here && take_part(log, t.lane, running.loop_hash, address, size)) return;
        Totals& alone = totals(space, action);
        alone.accesses++, alone.bytes += size, counted++, log.accesses[t.lane]++, log.at_best++;
    }

    // The next request's first lane; or a lane's first request of this interval, at another distance than before.
    // False: it is neither, or takes more than a glance.
    static __attribute__((noinline)) bool begins(RequestLog& log, u32 warp, u32 lane, u64 address) {
        LaneCursor& me = log.view.lane[lane];
        if (log.searched || log.is_lagging) return false;
        if (me.next == log.requests + log.count) {
            if (log.count == log.capacity) return false;
            if (!log.touched) touch(log, warp);
            push_request(log, running.loop_hash, address - u64(me.delta));
        } else {
            const RequestSlot& first = log.requests[0];
            i64 delta = i64(address - first.start);
            if (me.next != log.requests || first.odd || first.loop_hash != running.loop_hash || delta != i32(delta))
                return false;
            move_lane(log, me, delta);
        }
        me.next++;
        return true;
    }

    static __attribute__((noinline)) void trim(RequestLog& log, u32 live) {
        u32 n = 0, until = 0;
        while (n < log.count && !(live & ~lanes_of(log, n, until))) n = until;
        if (n >= log.count / 2) settle_requests(log, n);
    }

    static void flush() {
        for (u32 warp = 0; warp < block.warps; warp++) {
            for (u64 i = 0; i < touched[warp].count; i++) settle_log(*touched[warp].items[i]);
            touched[warp].count = 0;
        }
    }

    // Most accesses of the fast path are not counted as a thread's steps.
    static void end_interval() {
        flush();
        if (is_fast_path() && counted > request.max_thread_steps) leave_to_full_check();
        counted = 0;
    }

    static void fill_counts() {
        const Sums& c = mine->sums;
        const Totals &gr = c.global[0], &gw = c.global[1], &ga = c.global[2];
        const Totals &sr = c.shared[0], &sw = c.shared[1], &sa = c.shared[2];
        answer.counts = {
            .global_loads = gr.accesses,
            .global_stores = gw.accesses,
            .global_load_bytes = gr.bytes,
            .shared_loads = sr.accesses,
            .shared_stores = sw.accesses,
            .atomics = ga.accesses + sa.accesses,
            .global_atomics = ga.accesses,
            .barriers = c.barriers,
            .remote_loads = c.remote[0],
            .remote_stores = c.remote[1],
            .remote_atomics = c.remote[2],
            .global_load_requests = gr.requests,
            .global_load_sectors = gr.units,
            .global_store_requests = gw.requests,
            .global_store_sectors = gw.units,
            .global_load_sectors_at_best = gr.units_at_best,
            .global_store_sectors_at_best = gw.units_at_best,
            .shared_load_requests = sr.requests,
            .shared_load_conflicts = sr.conflicts,
            .shared_store_requests = sw.requests,
            .shared_store_conflicts = sw.conflicts,
            .shared_load_wavefronts = sr.units,
            .shared_store_wavefronts = sw.units,
            .shared_load_wavefronts_at_best = sr.units_at_best,
            .shared_store_wavefronts_at_best = sw.units_at_best,
            .global_atomic_requests = ga.requests,
            .global_atomic_sectors = ga.units,
            .global_atomic_sectors_as_stores = ga.as_stores,
            .global_atomic_sectors_at_best = ga.units_at_best,
            .shared_atomic_requests = sa.requests,
            .shared_atomic_wavefronts = sa.units,
            .shared_atomic_wavefronts_as_stores = sa.as_stores,
            .shared_atomic_wavefronts_at_best = sa.units_at_best,
            .shared_atomic_conflicts_as_stores = sa.conflicts,
            .constant_loads = c.constant_loads,
            .shuffles = c.shuffles,
            .votes = c.votes,
            .combinations = c.combinations,
            .matrix_products = c.matrix_products,
            .compare_and_swaps = c.compare_and_swaps,
        };
    }
};
