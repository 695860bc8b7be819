// The barrier of a cluster, whole or in two halves. The threads that wait for it are put aside with their block; it opens
// between the turns of the blocks, see grid.h.
#pragma once
#include "barriers.h"

static bool ends_cluster() { return block.cluster->ended == cluster_size(); }

// ---- threads ------------------------------------------------------------------------------------------
static void arrive_at_cluster(Arrival how, const void* site) {
    Thread& t = *current;
    if (t.arrival != Arrival::None) stop_crash("cluster arrival", site);
    t.arrival = how;
    t.phase = block.cluster->phase;
    block.arrived++;
}

static void wait_for_cluster(const void* site) {
    if (!is_back()) block.at_cluster++;
    wait_at_barrier(State::Cluster, 1, site);
}

static void arrive_by_half(const void* site) {
    make_step(*current, site);
    arrive_at_cluster(Arrival::Half, site);
    Observers::arrive_at_cluster(*current);
}

static void wait_by_half(const void* site) {
    if (is_back()) return wait_for_cluster(site);
    Thread& t = *current;
    make_step(t, site);
    if (t.arrival == Arrival::None) stop_crash("cluster wait", site);
    if (t.phase == block.cluster->phase) return wait_for_cluster(site);
    t.arrival = Arrival::None;
    Observers::go_past_cluster(t);
}

// ---- blocks -------------------------------------------------------------------------------------------
// Nothing of the block goes on before the barrier of its cluster opens. Where all of its threads wait at a whole one,
// this is a barrier of the block, too.
static void come_to_cluster() {
    bool whole = block.at_cluster == block.size;
    for (u32 i = 0; i < block.size; i++) whole &= block.threads[i].arrival == Arrival::Whole;
    if (!whole) return;
    block.whole = true;
    block.interval++;
    Observers::open_barrier();
    for (u32 i = 0; i < block.size; i++) block.threads[i].steps = 0;
    block_steps = 0;
    got_on_at = steps_made();
}

// ---- the cluster, while none of its blocks runs ---------------------------------------------------------
static bool all_have_arrived(const Cluster& c) {
    u64 arrived = 0;
    for (u32 rank = 0; rank < c.started; rank++) arrived += c.blocks[rank]->arrived;
    return arrived == u64(cluster_size()) * block.size;
}

static void open_cluster_barrier(Cluster& c) {
    if (u64(c.phase++) * block.size > request.max_block_waits) {  // it loops without end
        block = *c.blocks[0];
        current = block.threads;
        stop_limit(Limit::Steps, current->site);
    }
    Observers::open_cluster_barrier(c);
    for (u32 rank = 0; rank < cluster_size(); rank++) {
        Block& b = *c.blocks[rank];
        for (u32 i = 0; i < b.size; i++) {
            Thread& t = b.threads[i];
            if (t.state != State::Cluster) continue;
            t.state = State::Ready;
            t.arrival = Arrival::None;
        }
        b.waiting -= b.at_cluster;
        b.arrived = b.at_cluster = 0;
        b.whole = false;
    }
}

[[noreturn]] static void stop_divergence_of_cluster(const Cluster& c) {
    Vector<Waiter> all;
    u64 exited = 0;
    for (u32 rank = 0; rank < cluster_size(); rank++) {
        const Block& b = *c.blocks[rank];
        exited += b.exited;
        for (u32 i = 0; i < b.size; i++)
            if (b.threads[i].state != State::Exited) all.push() = {&b, b.threads + i};
    }
    stop_divergence(Scope::Cluster, u64(cluster_size()) * block.size, exited, places_of(all, 1));
}
