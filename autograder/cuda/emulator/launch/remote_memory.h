// Clusters: blocks that use each other's shared memory. All blocks have it at the same addresses, so what it holds lies
// in a slot of the block's own while the block is put aside; and there the other blocks of its cluster reach it. (While
// it runs, none of them does, and its own slot is out of date.)
#pragma once
#include "memory.h"

constexpr u64 SLOT_GAP = 64 * 1024;  // between what two slots hold
static u64 slots_low, slots_size;    // of all blocks that may be alive at once; 0: no block uses another's memory
static u64 slot_bytes;
static u64 shared_low, shared_end;  // the first shared array begins, the last one ends
static u64* shared_at;              // by variable: its first shadow word, as each_shared numbers them

// Where the latest access to another block's memory goes: the array there, and a region that numbers its shadow words as
// each_shared does.
static Region remote_region;
static Variable remote_variable;
static u32 remote_slot;

static bool is_clustered() { return request.clustered; }
static u32 cluster_size() { return u32(request.cluster[0] * request.cluster[1] * request.cluster[2]); }

// ---- numbers of blocks --------------------------------------------------------------------------------
// The block with this rank in a cluster; clusters are numbered as blocks are, by x first.
static u32 block_of_cluster(u64 cluster, u64 rank) {
    const u64 *size = request.cluster, *grid = request.grid;
    u64 along_x = grid[0] / size[0], along_y = grid[1] / size[1];
    u64 x = cluster % along_x * size[0] + rank % size[0];
    u64 y = cluster / along_x % along_y * size[1] + rank / size[0] % size[1];
    u64 z = cluster / (along_x * along_y) * size[2] + rank / (size[0] * size[1]);
    return u32(x + grid[0] * (y + grid[1] * z));
}

static u64 cluster_of_block(u64 linear) {
    const u64 *size = request.cluster, *grid = request.grid;
    u64 x = linear % grid[0] / size[0], y = linear / grid[0] % grid[1] / size[1];
    u64 z = linear / (grid[0] * grid[1]) / size[2];
    return x + grid[0] / size[0] * (y + grid[1] / size[1] * z);
}

static u32 rank_in_cluster(u64 linear) {
    const u64 *size = request.cluster, *grid = request.grid;
    u64 x = linear % grid[0] % size[0], y = linear / grid[0] % grid[1] % size[1];
    return u32(x + size[0] * (y + size[1] * (linear / (grid[0] * grid[1]) % size[2])));
}

static bool in_one_cluster(u32 a, u32 b) { return a == b || cluster_of_block(a) == cluster_of_block(b); }

// ---- slots --------------------------------------------------------------------------------------------
// Before the sandbox closes.
static void prepare_slots() {
    shared_at = allocate_array<u64>(variable_count + 1);
    each_shared_variable([](u32 i, u64 at, u64) {
        const Variable& v = variables[i];
        shared_at[i] = at;
        if (!shared_end || v.start < shared_low) shared_low = v.start;
        if (v.start + v.bytes > shared_end) shared_end = v.start + v.bytes;
    });
    if (!is_clustered() || !shared_end) return;
    shared_low &= ~255ull;
    slot_bytes = (shared_end - shared_low + SLOT_GAP + 4095) & ~4095ull;
    slots_size = request.residents * slot_bytes;
    slots_low = (u64)map_for_kernel(slots_size);
}

// Where a place in shared memory is in the slot.
static u64 in_slot(u32 slot, u64 home) { return slots_low + slot * slot_bytes + SLOT_GAP / 2 + (home - shared_low); }
static bool is_in_slots(u64 address) { return address - slots_low < slots_size; }
static u32 slot_of(u64 address) { return u32((address - slots_low) / slot_bytes); }
static u64 home_of(u64 address) { return address - in_slot(slot_of(address), shared_low) + shared_low; }

static Where find_remote(u64 address, u64 size) {
    Where w = {&remote_region, nullptr, 0, true};
    u64 home = home_of(address);
    if (home < shared_low || home >= shared_end) return w;
    const Variable* v = find_variable(module_region, home, size);
    if (!v || v->space != Space::Shared) return w;
    remote_slot = slot_of(address);
    remote_variable = *v;
    remote_variable.start = in_slot(remote_slot, v->start);
    w.id = u32(v - variables);
    remote_region.low = remote_variable.start - 4 * shared_at[w.id];
    w.variable = &remote_variable;
    return w;
}

// The block, by its number in the grid, whose memory lies in a slot of the running block's cluster.
static __attribute__((noinline)) u32 owner_of_slot(u32 slot) {
    return block_of_cluster(cluster_of_block(block.linear), slot - block.slot / cluster_size() * cluster_size());
}
// Whose shared memory it is; of other memory, the running block.
static ALWAYS_INLINE u32 owner_of(const Where& w) { return w.remote ? owner_of_slot(remote_slot) : block.linear; }
// Where the owner has it.
static ALWAYS_INLINE u64 home_of(const Where& w, u64 address) {
    if (!w.remote) return address;
    return address - w.variable->start + variables[w.id].start;
}

// The array that an access goes to: its variable is null where it lies in none.
static Where find_array(u64 address, u64 size) {
    if (is_in_slots(address)) return find_remote(address, size);
    Where w = {address - module_region.low < module_region.size ? &module_region : &global_region, nullptr, 0};
    if (address - w.region->low < w.region->size) w.variable = find_variable(*w.region, address, size);
    if (w.variable) w.id = u32(w.variable - variables);
    return w;
}
