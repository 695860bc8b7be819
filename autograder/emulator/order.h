// Happens-before. Within a block a barrier orders everything; within a warp __syncwarp orders the
// lanes of its mask; anything else needs a fence and an atomic on each side: a thread's fence
// snapshots what it knows, its next atomic releases the snapshot at that address, and whoever
// reads that address by an atomic acquires it at its own next fence or barrier. Behind a barrier the
// atomic may be that of any thread that was there: __threadfence() is PTX's fence.sc, all of which stand
// in one order, and the barrier comes after the fence.
#pragma once
#include "allocate.h"
#include "runtime.h"

// A sparse vector clock: sorted entries, immutable once made, shared by pointer.
struct Entry {
    u64 key;    // a block, or one thread of a block
    u32 value;  // block: its accesses in intervals < value; thread: its accesses with clock < value
};
struct Known {
    u32 count;
    Entry entries[];
};
static u64 block_key(u32 block) { return 1ull << 63 | block; }
static u64 thread_key(u32 block, u32 thread) { return (u64)block << 16 | thread; }

// The atomics of one thread on one word: what an atomic releases comes with the atomic itself.
static u64 atomic_key(u64 address, u32 block, u32 thread) {
    u64 h = (address / 4 * 0x9e3779b97f4a7c15) ^ (thread_key(block, thread) * 0xd6e8feb86659fd93);
    return 1ull << 62 | (h ^ h >> 29) >> 2;
}

static u32 look_up(const Known* k, u64 key) {
    if (!k) return 0;
    u32 lo = 0, hi = k->count;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (k->entries[mid].key < key) lo = mid + 1;
        else hi = mid;
    }
    return lo < k->count && k->entries[lo].key == key ? k->entries[lo].value : 0;
}

static bool covers(const Known* a, const Known* b) {
    for (u32 i = 0; i < b->count; i++)
        if (look_up(a, b->entries[i].key) < b->entries[i].value) return false;
    return true;
}

// The least that knows what both know; one of the two itself where that is enough.
static Known* join(Known* a, Known* b) {
    if (!b || a == b) return a;
    if (!a) return b;
    if (covers(a, b)) return a;
    if (covers(b, a)) return b;
    Known* out = (Known*)allocate(sizeof(Known) + (a->count + b->count) * sizeof(Entry));
    u32 i = 0, j = 0, n = 0;
    while (i < a->count || j < b->count) {
        if (j == b->count || (i < a->count && a->entries[i].key < b->entries[j].key)) {
            out->entries[n++] = a->entries[i++];
        } else if (i == a->count || b->entries[j].key < a->entries[i].key) {
            out->entries[n++] = b->entries[j++];
        } else {
            out->entries[n] = a->entries[i++];
            u32 other = b->entries[j++].value;
            if (other > out->entries[n].value) out->entries[n].value = other;
            n++;
        }
    }
    out->count = n;
    return out;
}

static Known* single(u64 key, u32 value) {
    Known* k = (Known*)allocate(sizeof(Known) + sizeof(Entry));
    k->count = 1;
    k->entries[0] = {key, value};
    return k;
}

// ---- events ---------------------------------------------------------------------------------
enum { SCOPE_BLOCK = 0, SCOPE_DEVICE = 1 };
static u64 fences;                 // so far
constexpr u32 MAX_THREADS = 1024;  // of a block

static void order_heard(Thread& t, int scope) {
    t.known = join(t.known, t.heard[SCOPE_BLOCK]);
    t.heard[SCOPE_BLOCK] = nullptr;
    if (scope != SCOPE_DEVICE) return;
    t.known = join(t.known, t.heard[SCOPE_DEVICE]);
    t.heard[SCOPE_DEVICE] = nullptr;
}

// What comes before the thread's next access; its accesses from here on are not in it.
static Known* order_snapshot(Block& b, Thread& t) {
    Entry own[33];
    u32 n = 0;
    auto add = [&](u64 key, u32 value) {
        if (value) own[n++] = {key, value};
    };
    for (u32 lane = 0; lane < 32; lane++)
        add(thread_key(b.linear, t.warp * 32 + lane), lane == t.lane ? t.clock + 1 : t.seen[lane]);
    add(block_key(b.linear), b.interval);
    Known* snapshot = (Known*)allocate(sizeof(Known) + n * sizeof(Entry));
    snapshot->count = n;
    __builtin_memcpy(snapshot->entries, own, n * sizeof(Entry));
    t.clock++;
    return join(snapshot, join(t.known, b.known));
}

static void order_fence(Block& b, Thread& t, int scope) {
    order_heard(t, scope);
    Known* all = order_snapshot(b, t);
    for (int s = SCOPE_BLOCK; s <= scope; s++) t.fenced[s] = all, t.fresh[s] = true;
    fences++;
}

// What the fences of these threads have covered since the last barrier, each may release from here on. (What was
// covered before that barrier is in every snapshot taken since.)
static void order_share_fences(Thread* threads, u32 count, u32 lanes, bool fresh) {
    for (int scope = SCOPE_BLOCK; scope <= SCOPE_DEVICE; scope++) {
        static Known* parts[MAX_THREADS];
        u32 n = 0;
        for (u32 i = 0; i < count; i++)
            if ((lanes >> i % 32 & 1) && threads[i].fresh[scope]) parts[n++] = threads[i].fenced[scope];
        if (!n) continue;
        for (u32 step = 1; step < n; step *= 2)
            for (u32 i = 0; i + step < n; i += 2 * step) parts[i] = join(parts[i], parts[i + step]);
        for (u32 i = 0; i < count; i++)
            if (lanes >> i % 32 & 1) threads[i].fenced[scope] = parts[0], threads[i].fresh[scope] = fresh;
    }
}

// What has been released at an address, by an open hash table that doubles.
struct Released {
    u64 address;
    Known* device;
    Known* in_block;
    u32 block;
};
static Released* released;
static u64 released_capacity, released_count;

static Released* released_at(u64 address, bool make) {
    if (make && released_count * 2 >= released_capacity) {
        Released* old = released;
        u64 n = released_capacity;
        released_capacity = n ? n * 2 : 256;
        released = (Released*)allocate(released_capacity * sizeof(Released));
        for (u64 i = 0; i < n; i++) {
            if (!old[i].address) continue;
            u64 h = old[i].address * 0x9e3779b97f4a7c15 >> 20;
            while (released[h % released_capacity].address) h++;
            released[h % released_capacity] = old[i];
        }
    }
    if (!released_capacity) return nullptr;
    u64 h = address * 0x9e3779b97f4a7c15 >> 20;
    while (released[h % released_capacity].address) {
        if (released[h % released_capacity].address == address) return &released[h % released_capacity];
        h++;
    }
    if (!make) return nullptr;
    released_count++;
    released[h % released_capacity].address = address;
    return &released[h % released_capacity];
}

static void order_acquire(Block& b, Thread& t, u64 address, int scope) {
    if (Released* r = released_at(address, false)) {
        if (scope == SCOPE_DEVICE) t.heard[SCOPE_DEVICE] = join(t.heard[SCOPE_DEVICE], r->device);
        if (r->block == b.linear) t.heard[SCOPE_BLOCK] = join(t.heard[SCOPE_BLOCK], r->in_block);
    }
}

static void order_publish(Block& b, const Thread& t, u64 address, Known* in_block, Known* device) {
    if (!in_block && !device) return;
    Known* itself = single(atomic_key(address & ~3ull, b.linear, t.linear), t.clock + 1);
    Released* r = released_at(address, true);
    if (device) r->device = join(r->device, join(device, itself));
    if (r->block != b.linear) r->in_block = nullptr;
    r->block = b.linear;
    if (in_block) r->in_block = join(r->in_block, join(in_block, itself));
}

// An atomic releases what the thread's last fence covered.
static void order_release(Block& b, Thread& t, u64 address, int scope) {
    order_publish(b, t, address, t.fenced[SCOPE_BLOCK], scope == SCOPE_DEVICE ? t.fenced[SCOPE_DEVICE] : nullptr);
}

static void order_barrier(Block& b) {
    b.interval++;
    if (fences) order_share_fences(b.threads, b.size, ~0u, false);
    if (!released_count) return;  // nobody can have learnt anything
    for (u32 i = 0; i < b.size; i++) {
        order_heard(b.threads[i], SCOPE_DEVICE);
        b.known = join(b.known, b.threads[i].known);
        b.threads[i].known = nullptr;
    }
}

static void order_warp(Block& b, u32 warp, u32 lanes) {
    u32 seen[32] = {};
    Known* known = nullptr;
    Thread* base = b.threads + warp * 32;
    for (u32 lane = 0; lane < 32; lane++) {
        if (!(lanes >> lane & 1)) continue;
        for (u32 l = 0; l < 32; l++)
            if (base[lane].seen[l] > seen[l]) seen[l] = base[lane].seen[l];
        if (base[lane].clock + 1 > seen[lane]) seen[lane] = base[lane].clock + 1;
        order_heard(base[lane], SCOPE_DEVICE);
        known = join(known, base[lane].known);
    }
    for (u32 lane = 0; lane < 32; lane++) {
        if (!(lanes >> lane & 1)) continue;
        base[lane].clock++;
        for (u32 l = 0; l < 32; l++) base[lane].seen[l] = seen[l];
        base[lane].known = known;
    }
    if (fences) order_share_fences(base, 32, lanes, true);
}
