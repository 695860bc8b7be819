// In which order the blocks, and the threads of a block, get their time slices.
#pragma once
#include "launch/remote_memory.h"

static u16* thread_order;
static u64 random_state;

static u32 random_below(u32 n) {  // splitmix64
    u64 z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return u32((z ^ z >> 31) % n);
}

static void prepare_order() {
    thread_order = allocate_array<u16>(block.size);
    random_state = request.seed;
    if (request.schedule == Schedule::Lockstep || request.schedule == Schedule::Turns) slice = 1;
    for (u32 i = 0; i < block.size; i++)
        thread_order[i] = u16(request.schedule == Schedule::Backward ? block.size - 1 - i : i);
    if (request.schedule != Schedule::Warps) return;
    // The last warp goes first, its lanes in their order.
    for (u32 warp = block.warps, n = 0; warp-- > 0;)
        for (u32 i = warp * 32; i < warp * 32 + 32 && i < block.size; i++) thread_order[n++] = u16(i);
}

// A pass: each thread of a block gets a time slice.
static void order_next_pass() {
    if (request.schedule != Schedule::Random) return;
    for (u32 i = block.size - 1; i > 0; i--) {
        u32 j = random_below(i + 1);
        u16 other = thread_order[j];
        thread_order[j] = thread_order[i];
        thread_order[i] = other;
    }
}

// The i-th of as many blocks, or clusters, to start.
static u64 scheduled(u64 i, u64 blocks) {
    if (request.schedule == Schedule::Backward || request.schedule == Schedule::Warps) return blocks - 1 - i;
    if (request.schedule != Schedule::Random) return i;
    // Any step that shares no factor with the number of blocks visits each once.
    u64 step = blocks / 2 + request.seed % (blocks / 2 + 1) + 1;
    for (;; step++) {
        u64 a = blocks, b = step % blocks;
        while (b) {
            u64 rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) return (i + request.seed) * step % blocks;
    }
}

// The block that is the i-th to start. Those of a cluster start together.
static u64 scheduled_block(u64 i) {
    if (!is_clustered()) return block_to_run(scheduled(i, blocks_to_run()));
    u64 size = cluster_size();
    return block_of_cluster(scheduled(i / size, block_count() / size), scheduled(i % size, size));
}
