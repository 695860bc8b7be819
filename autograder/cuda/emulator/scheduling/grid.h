// The blocks of a launch. In the full check they run one after another, but a block that waits for the others (at a
// barrier of the grid, or spinning) is put aside with its shared memory, and the next one starts. The blocks of a cluster
// start together, and the next cluster when these are through, or get on no more.
#pragma once
#include "blocks.h"

struct Resident {
    Block block;  // first: a cluster knows its blocks
    Halt halt;
    u8* shared;  // what its shared memory held; of a clustered launch, that is in its slot
};
static Vector<Resident*> waiting;  // put aside, in the order in which they get on
static Vector<Resident*> unused;
static u32 residents_made;

static Resident& make_resident() {
    if (unused.count) return *unused.items[--unused.count];
    Resident& r = *(Resident*)allocate(sizeof(Resident));
    r.block.size = block.size;
    r.block.warps = block.warps;
    r.block.threads = allocate_array<Thread>(block.size);
    r.block.slot = residents_made++;
    return r;
}

// ---- clusters -----------------------------------------------------------------------------------------
static Vector<Cluster*> clusters;  // that are alive
static Vector<Cluster*> unused_clusters;

static Cluster& start_cluster() {
    if (!unused_clusters.count) {
        Cluster& made = *(Cluster*)allocate(sizeof(Cluster));
        made.slot = residents_made / cluster_size();
        for (u32 rank = 0; rank < cluster_size(); rank++) {
            Resident& r = make_resident();
            r.block.cluster = &made;
            made.blocks[rank] = &r.block;
        }
        unused_clusters.push() = &made;
    }
    Cluster& c = *unused_clusters.items[--unused_clusters.count];
    c.phase = c.started = c.ended = 0;
    clusters.push() = &c;
    return c;
}

static Resident& join_cluster(u64 linear) {
    bool is_first = !clusters.count || clusters.items[clusters.count - 1]->started == cluster_size();
    Cluster& c = is_first ? start_cluster() : *clusters.items[clusters.count - 1];
    c.started++;
    return (Resident&)*c.blocks[rank_in_cluster(linear)];
}

static void end_cluster(const Cluster& ended) {
    u64 i = 0;
    while (clusters.items[i] != &ended) i++;
    unused_clusters.push() = clusters.items[i];
    for (clusters.count--; i < clusters.count; i++) clusters.items[i] = clusters.items[i + 1];
}

// True: some did.
static bool open_cluster_barriers() {
    bool any = false;
    for (u64 i = 0; i < clusters.count; i++) {
        Cluster& c = *clusters.items[i];
        if (!all_have_arrived(c)) continue;
        open_cluster_barrier(c);
        for (u32 rank = 0; rank < cluster_size(); rank++)
            if (Resident& r = (Resident&)*c.blocks[rank]; r.halt == Halt::Cluster)
                r.halt = Halt::Stuck;  // it may go on
        any = true;
    }
    return any;
}

// `stuck`: none of the blocks that are here gets on.
static bool has_room(u64 started, bool stuck) {
    if (!is_clustered()) return waiting.count < request.residents;
    if (started % cluster_size() || !clusters.count) return true;
    return stuck && clusters.count < request.residents / cluster_size();
}

// ---- putting aside and taking up --------------------------------------------------------------------
static void* stored_shared(const Resident& r, u64 home, u64 at) {
    return slots_size ? (void*)in_slot(r.block.slot, home) : r.shared + at * 4;
}

static void put_aside(Resident& r, Halt halt) {
    Observers::put_block_aside();
    r.block = block;
    r.halt = halt;
    if (!r.shared && !slots_size) r.shared = (u8*)allocate(shared_shadow_words() * 4);
    each_shared([&](u64 word, u64 at, u64 n) {
        u64 from = module_region.low + word * 4;
        __builtin_memcpy(stored_shared(r, from, at), (void*)from, n * 4);
    });
}

static void take_up(const Resident& r) {
    block = r.block;
    each_shared([&](u64 word, u64 at, u64 n) {
        u64 to = module_region.low + word * 4;
        __builtin_memcpy((void*)to, stored_shared(r, to, at), n * 4);
    });
    Observers::take_block_up();
    block_steps = 0;
    for (u32 i = 0; i < block.size; i++) {
        block.threads[i].watch.spins = false;
        block.threads[i].watch.idle = true;
    }
}

static void go_on(Resident& r) {
    Halt halt = run_block();
    if (halt == Halt::Ended) {
        if (!block.cluster) unused.push() = &r;
        else put_aside(r, halt);  // others of the cluster may still access its memory, though they must not
        r.block = block;
        if (block.cluster && ends_cluster()) end_cluster(*block.cluster);
    } else {
        put_aside(r, halt);
        waiting.push() = &r;
    }
}

static Resident& next_waiting(u64 i) {
    Resident& r = *waiting.items[i];
    for (u64 k = i + 1; k < waiting.count; k++) waiting.items[k - 1] = waiting.items[k];
    waiting.count--;
    return r;
}

// ---- barriers of the grid ---------------------------------------------------------------------------
static const Thread& first_of_waiting(u64 i) { return waiting.items[i]->block.threads[0]; }

[[noreturn]] static void stop_divergence_of_grid() {
    Vector<Waiter> one_of_each;
    for (u64 i = 0; i < waiting.count; i++) one_of_each.push() = {&waiting.items[i]->block, &first_of_waiting(i)};
    u64 exited = blocks_ended * block.size;
    stop_divergence(Scope::Grid, block_count() * block.size, exited, places_of(one_of_each, block.size));
}

static void open_grid_barrier() {
    bool one_site = true;
    for (u64 i = 1; i < waiting.count; i++) one_site &= at_one_site(first_of_waiting(i), first_of_waiting(0));
    if (blocks_ended || !one_site) stop_divergence_of_grid();
    Observers::open_grid_barrier();
    for (u64 i = 0; i < waiting.count; i++) {
        Resident& r = *waiting.items[i];
        r.halt = Halt::Stuck;  // it may go on
        r.block.waiting = 0;
        for (u32 k = 0; k < r.block.size; k++) r.block.threads[k].state = State::Ready;
    }
}

// ---- all blocks -------------------------------------------------------------------------------------
// Whether a spinning block would go on, given time.
static bool goes_on_alone() {
    u64 i = 0, change = changes;
    while (waiting.items[i]->halt == Halt::Grid || waiting.items[i]->halt == Halt::Cluster) i++;
    Resident& r = next_waiting(i);
    take_up(r);
    patient = true;
    go_on(r);
    patient = false;
    return change != changes || waiting.items[waiting.count - 1]->halt != Halt::Stuck;
}

static void run_grid_with_full_check() {
    u64 blocks = blocks_to_run(), started = 0;
    bool stuck = false;
    while (started < blocks || waiting.count) {
        bool held_no_more = waiting.count && waiting.items[waiting.count - 1]->halt == Halt::Held && !held;
        if (started < blocks && has_room(started, stuck) && !held_no_more) {
            *blocks_begun = started;
            u64 next = scheduled_block(started++);
            Resident& r = is_clustered() ? join_cluster(next) : make_resident();
            block = r.block;
            start_block(next);
            go_on(r);
            stuck = false;
            continue;
        }
        // All that fit are here: each that may goes on once.
        u64 change = changes;
        bool one_may = false;
        for (u64 i = 0, n = waiting.count; i < n; i++) {
            Resident& r = next_waiting(0);
            if (r.halt == Halt::Grid || r.halt == Halt::Cluster || (r.halt == Halt::Held && held)) {
                waiting.push() = &r;
                continue;
            }
            take_up(r);
            go_on(r);
            one_may = true;
        }
        if (open_cluster_barriers() || change != changes || !waiting.count) continue;
        // Without patience: who waits for the next cluster by plain reads, as a volatile loop does, may as well be counting.
        if (started < blocks && is_clustered() && !stuck && !held) {
            stuck = true;
            continue;
        }
        if (one_may && waiting.count > 1 && accesses_made - changed_at < patience()) continue;
        if (held) {
            release_held();
            continue;
        }
        const Cluster* at_cluster = nullptr;
        bool all_at_barrier = true;
        for (u64 i = 0; i < waiting.count; i++) {
            const Resident& r = *waiting.items[i];
            all_at_barrier &= r.halt == Halt::Grid || r.halt == Halt::Cluster;
            if (r.halt == Halt::Cluster) at_cluster = r.block.cluster;
        }
        if (all_at_barrier && at_cluster) stop_divergence_of_cluster(*at_cluster);
        if (all_at_barrier) open_grid_barrier();
        else if (!goes_on_alone()) stop_spinning_block();
    }
}

// Each worker its share of the blocks; what all have seen, the first goes on with.
static void run_grid_on_fast_path() {
    block = make_resident().block;
    for (u64 i; next_block(i);) {
        start_block(i);
        if (run_block() != Halt::Ended) leave_to_full_check();
    }
    finish_worker();
    Observers::finish_workers();
    for (u32 k = 1; k < request.workers; k++) Observers::join_worker(k);
}
