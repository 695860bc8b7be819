// The heap of a whole program's kernels: malloc, free, new and delete. It is one of the launch's arrays, so it lasts until
// the program ends: a head, and then blocks, one after the other, each with its own head and a gap after it. Nobody
// may access what is not inside a block that is in use. A block that was freed is used again only when there is no other
// room, so that a later use of it is noticed.
#pragma once
#include "access.h"
#include "launch/uninitialized_fill.h"

struct HeapHead {
    u64 limit;  // bytes that may be in use at once
    u64 used;   // of these
    u64 end;    // where the next new block goes, in bytes from the heap's start
};
struct BlockHead {
    u64 bytes;  // that were requested
    u64 span;   // from this head to the next one
    u64 in_use, unused;
};
constexpr u64 HEAP_UNIT = 16, FIRST_BLOCK = (sizeof(HeapHead) + HEAP_UNIT - 1) / HEAP_UNIT * HEAP_UNIT;

static const Variable* heap_array;  // null: the launch has none
static u32* block_of_unit;          // where the block's head is, in units; 0: nowhere

static HeapHead& heap_head() { return *(HeapHead*)heap_array->start; }
static BlockHead& block_at(u64 offset) { return *(BlockHead*)(heap_array->start + offset); }
static u64 address_of_block(u64 offset) { return heap_array->start + offset + sizeof(BlockHead); }

// From now on the block has its place; whether it holds values already.
static void begin_heap_block(u64 offset, bool has_values) {
    const BlockHead& b = block_at(offset);
    for (u64 at = sizeof(BlockHead); at < sizeof(BlockHead) + b.bytes; at += HEAP_UNIT)
        block_of_unit[(offset + at) / HEAP_UNIT] = u32(offset / HEAP_UNIT);
    Observers::begin_heap_block(address_of_block(offset), b.bytes, has_values);
}

static void prepare_heap() {
    for (u32 i = 0; i < variable_count; i++)
        if (variables[i].heap) heap_array = &variables[i];
    if (!heap_array) return;
    block_of_unit = (u32*)allocate_lazily(heap_array->bytes / HEAP_UNIT * sizeof(u32));
    // (A kernel that nobody checks may have written anything there.)
    for (u64 at = FIRST_BLOCK; at < heap_head().end; at += block_at(at).span) {
        u64 span = block_at(at).span;
        if (!span || span % HEAP_UNIT || span > heap_array->bytes - at || block_at(at).bytes > span)
            refuse("a kernel has written where the heap's blocks are described");
        begin_heap_block(at, true);
    }
}

static void check_heap_access(u64 address, u64 size, const void* site) {
    u64 block = u64(block_of_unit[(address - heap_array->start) / HEAP_UNIT]) * HEAP_UNIT;
    if (!block || address + size > address_of_block(block) + block_at(block).bytes) stop_crash("heap bounds", site);
    if (!block_at(block).in_use) stop_crash("heap freed", site);
}

// Where freed blocks next to each other leave a span of this size, as one block; 0: nowhere.
static u64 freed_span(u64 span) {
    for (u64 at = FIRST_BLOCK; at < heap_head().end; at += block_at(at).span) {
        BlockHead& b = block_at(at);
        if (b.in_use) continue;
        while (b.span < span && at + b.span < heap_head().end && !block_at(at + b.span).in_use)
            b.span += block_at(at + b.span).span;
        if (b.span >= span) return at;
    }
    return 0;
}

#pragma GCC visibility push(default)  // kernels call these
extern "C" {
// Null if there is not enough left, as on a GPU. (A kernel that calls this has a heap.)
void* emu_allocate(u64 bytes, const void*) {
    HeapHead& heap = heap_head();
    if (!bytes) bytes = 1;
    if (bytes > heap.limit || heap.used + bytes > heap.limit) return nullptr;
    u64 span = (sizeof(BlockHead) + bytes + 2 * HEAP_UNIT - 1) / HEAP_UNIT * HEAP_UNIT, at = heap.end;
    if (at + span <= heap_array->bytes) {
        heap.end += span;
    } else {
        at = freed_span(span);
        if (!at) return nullptr;
        span = block_at(at).span;
        __builtin_memset(block_of_unit + at / HEAP_UNIT, 0, span / HEAP_UNIT * sizeof(u32));
    }
    heap.used += bytes;
    block_at(at) = {bytes, span, 1, 0};
    fill_uninitialized((void*)address_of_block(at), bytes);
    begin_heap_block(at, false);
    return (void*)address_of_block(at);
}

void emu_free(const void* p, const void* site) {
    if (!p) return;
    u64 address = (u64)p, inside = heap_array ? address - heap_array->start : 0;
    u64 block = heap_array && inside < heap_array->bytes ? u64(block_of_unit[inside / HEAP_UNIT]) * HEAP_UNIT : 0;
    if (!block || address != address_of_block(block)) stop_crash("not of the heap", site);
    if (!block_at(block).in_use) stop_crash("freed twice", site);
    block_at(block).in_use = 0;
    heap_head().used -= block_at(block).bytes;
}
}
#pragma GCC visibility pop
