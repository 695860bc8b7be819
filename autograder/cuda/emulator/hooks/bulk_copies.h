// Bulk copies and tensor maps: what they read and write is checked where they start; scheduling/bulk_copies.h lets them land.
#pragma once
#include "mbarriers.h"
#include "swizzle.h"
#include "tensor_map.h"

constexpr u64 BULK_ALIGNMENT = 16, TILE_ALIGNMENT = 128;

// `size` bytes in a row, which the engine reads or writes for the thread.
static void access_in_bulk(u64 address, u32 size, Action action, bool shared, const CopyEngine& e, const void* site,
                           bool is_map = false) {
    Thread& t = *current;
    if (in_stack(t, address, size) || (find_array(address, 1).variable && shared != may_be_shared(address)))
        stop_crash(shared ? "bulk copy not shared" : "bulk copy not global", site);
    const Where w = find_array(address, size);
    if (!w.variable && is_in_slots(address)) stop_out_of_remote_bounds(address, size, action, site);
    if (!w.variable) stop_out_of_bounds(address, size, action, site, w.region);
    if (w.variable->heap) check_heap_access(address, size, site);
    if (action != Action::Read && w.variable->read_only) stop_read_only(address, action, site, w);
    const Access a = {t, w, address, size, action, site, NO_NUMBER, false, &e, 1, is_map};
    Observers::access(a);
}

static void check_bulk_place(u64 address, u64 align, Action action, const void* site) {
    if (address % align == 0) return;
    if (const Where w = find_array(address, 1); w.variable) stop_misaligned(address, align, action, site, w);
}

// Another block must be there.
static void check_remote(u64 address, Action action, const void* site) {
    if (!is_in_slots(address)) return;
    if (slot_of(address) / cluster_size() != block.slot / cluster_size())
        stop_out_of_bounds(address, BULK_ALIGNMENT, action, site, nullptr);
    const Where w = find_remote(address, 1);
    if (!w.variable) stop_out_of_remote_bounds(address, BULK_ALIGNMENT, action, site);
    const Access a = {*current, w, address, BULK_ALIGNMENT, action, site, NO_NUMBER, false};
    Observers::access_remotely(a);
}

// Bytes of shared memory are meant by the address that the running block has for them.
static void add_piece(BulkCopy& c, u64 to, u64 from, u64 bytes, u64 zeros = 0) {
    if (bytes + zeros) c.pieces.push() = {to, from, u32(bytes), u32(zeros)};
}

struct BulkKind {
    bool from_shared, to_shared;
    Space counted() const { return from_shared && to_shared ? Space::Shared : Space::Global; }
};

// What it reads and writes, by which engines; `map`: the tensor map that is read, too.
static void check_pieces(BulkCopy& c, BulkKind kind, const CopyEngine& reader, const CopyEngine& writer,
                         const void* site, u64 map) {
    make_step(*current, site);
    u64 read = 0;
    for (u64 i = 0; i < c.pieces.count; i++) read += c.pieces.items[i].bytes;
    const Action counted = kind.to_shared ? Action::Read : Action::Write;
    const u64 of_global = kind.counted() == Space::Global ? read : 0;
    Observers::settle();
    Observers::start_bulk_copy(*current, reader, Space::Global, counted, of_global, site);
    if (writer.block != reader.block) Observers::start_bulk_copy(*current, writer, Space::Global, counted, 0, site);
    if (map) access_in_bulk(map, sizeof(TensorMap), Action::Read, false, reader, site, true);
    const Action writes = c.reduction == Reduction::None ? Action::Write : Action::Atomic;
    if (writes == Action::Atomic) {
        current->atomic_scope = SCOPE_DEVICE, current->atomic_part = Part::Both;
        current->atomic_element = c.reduction == Reduction::AddU64 ? 8 : 4;
    }
    for (u64 i = 0; i < c.pieces.count; i++) {
        BulkPiece& p = c.pieces.items[i];
        if (p.bytes) access_in_bulk(p.from, p.bytes, Action::Read, kind.from_shared, reader, site);
        access_in_bulk(p.to, p.bytes + p.zeros, writes, kind.to_shared, writer, site);
        must_be_in_window((const void*)p.to, p.bytes + p.zeros);
        p.from = common_place(p.from), p.to = common_place(p.to);
    }
    current->atomic_element = 0;
}

static void start_at_mbarrier(BulkCopy& c, bool from_shared, u64 barrier, const void* site, u64 map = 0) {
    touch_mbarrier(barrier, RELAXED, site);
    if (!may_be_shared(barrier)) stop_crash("mbarrier not shared", site);
    const CopyEngine engine = mbarrier_at(barrier).engine;
    check_pieces(c, {from_shared, true}, engine, engine, site, map);
    Mbarrier& m = mbarrier_at(barrier);
    m.engine.interval++;
    record_change();
    if (request.copies_at_once && m.ready) {
        land(c);
        count_landed(m, c.bytes, site);
        forget(c);
    } else {
        m.on_way.push() = &c;
    }
}

static void start_in_group(BulkCopy& c, const void* site, u64 map = 0) {
    BulkGroups& mine = bulk_groups_of[current->slot];
    if (!mine.reader.block) mine.reader = make_engine(Wait::BulkGroup), mine.writer = make_engine(Wait::BulkGroup);
    check_pieces(c, {true, false}, mine.reader, mine.writer, site, map);
    mine.reader.interval++, mine.writer.interval++;
    c.group = mine.group;
    mine.on_way.push() = &c;
    if (request.copies_at_once) land(c);
}

// For each block that a copy goes to: calls `start(its destination, its barrier)`. `blocks`: a bit for each rank; 0: only
// where `to` and `barrier` are.
template <class F> static void each_destination(void* to, void* barrier, u32 blocks, const void* site, F start) {
    if (!blocks) return start((u64)to, (u64)barrier);
    if (blocks >> cluster_size()) stop_crash("multicast to no block", site);
    for (u32 rank = 0; rank < cluster_size(); rank++)
        if (blocks >> rank & 1) start((u64)emu_cluster_map(to, rank, site), (u64)emu_cluster_map(barrier, rank, site));
}

// ---- tiles ----------------------------------------------------------------------------------------------
// Calls `each(address in the tile, address in global memory, bytes there)` for what is in a row, and, where there is nothing
// of the tensor, `outside(address in the tile, bytes)`.
template <class Each, class Outside>
static void each_row(const TensorMap& map, const i32* at, u64 tile, Each each, Outside outside) {
    const u64 element = map.element_bytes, row_bytes = map.box[0] * element;
    // Of a row, the bytes [low, high) are in the tensor.
    auto clip = [&](i64 n) { return n < 0 ? 0 : n > i64(row_bytes) ? row_bytes : u64(n); };
    const u64 low = clip(-i64(at[0]) * i64(element)), high = clip((i64(map.extents[0]) - at[0]) * i64(element));
    u64 rows = 1;
    for (u32 k = 1; k < map.rank; k++) rows *= map.box[k];
    for (u64 row = 0; row < rows; row++, tile += row_bytes) {
        u64 from = map.address + map.skipped + u64(i64(at[0]) * i64(element)), left = row;
        bool inside = low < high;
        for (u32 k = 1; k < map.rank; k++) {
            const i64 place = i64(at[k]) + i64(left % map.box[k]);
            inside &= place >= 0 && place < i64(map.extents[k]);
            from += u64(place) * map.strides[k - 1];
            left /= map.box[k];
        }
        const u64 step = map.swizzle ? 16 : row_bytes;
        for (u64 begin = 0; begin < row_bytes; begin += step) {
            const u64 end = begin + step, to = swizzled(tile + begin, map.swizzle);
            auto within = [&](u64 n) { return !inside || n < begin ? begin : n > end ? end : n; };
            const u64 first = within(low), last = within(high);
            if (first > begin) outside(to, first - begin);
            if (last > first) each(to + (first - begin), from + first, last - first);
            if (end > last) outside(to + (last - begin), end - last);
        }
    }
}

// A parameter never changes; what is in memory is read by the engine, see `check_pieces`.
static bool is_in_memory(u64 map) { return find_array(map, 1).variable; }

static TensorMap read_tensor_map(const void* at, u32 rank, const void* site) {
    if (may_be_shared((u64)at)) stop_crash("bulk copy not global", site);
    if (!find_array((u64)at, sizeof(TensorMap)).variable)
        access_pieces((u64)at, sizeof(TensorMap), 16, Action::Read, site);
    TensorMap map;
    __builtin_memcpy(&map, at, sizeof map);
    if (!map.is_sound()) stop_crash("no tensor map", site);
    if (map.rank != rank) stop_crash("rank of a tensor map", site);
    return map;
}

static Reduction addition_of(const TensorMap& map, const void* site) {
    if (map.element_bytes == 4) return map.is_float ? Reduction::AddFloat : Reduction::AddU32;
    if (map.element_bytes != 8 || map.is_float) stop_crash("sum of a tile", site);
    return Reduction::AddU64;
}

static void check_tile(u64 tile, const TensorMap& map, Action action, const void* site) {
    check_bulk_place(tile, TILE_ALIGNMENT, action, site);
    const Where w = find_array(tile, map.tile_bytes());
    if (w.variable) return;
    if (is_in_slots(tile)) stop_out_of_remote_bounds(tile, map.tile_bytes(), action, site);
    stop_out_of_bounds(tile, map.tile_bytes(), action, site, w.region);
}

// As an H200 takes them: others end the launch with an illegal instruction. Only loads may begin before the tensor does.
static void check_coordinates(const TensorMap& map, const i32* at, bool stores, const void* site) {
    if (i64(at[0]) * map.element_bytes % i64(BULK_ALIGNMENT)) stop_crash("first coordinate of a tile", site);
    for (u32 k = 0; stores && k < map.rank; k++)
        if (at[k] < 0) stop_crash("tile stored before its tensor", site);
}

#pragma GCC visibility push(default)  // kernels call these
extern "C" {
void emu_bulk_load(void* to, const void* from, unsigned bytes, void* barrier, unsigned form, const void* site) {
    const bool from_shared = form >> 16;
    if (!bytes || bytes % BULK_ALIGNMENT || bytes > Phase::MANY) stop_crash("bulk size", site);
    check_bulk_place((u64)from, BULK_ALIGNMENT, Action::Read, site);
    check_bulk_place((u64)to, BULK_ALIGNMENT, Action::Write, site);
    each_destination(to, barrier, form & 0xffff, site, [&](u64 there, u64 its_barrier) {
        check_remote(there, Action::Write, site);
        BulkCopy& c = make_bulk_copy(site, Reduction::None);
        c.bytes = bytes;
        add_piece(c, there, (u64)from, bytes);
        start_at_mbarrier(c, from_shared, its_barrier, site);
    });
}

void emu_bulk_store(void* to, const void* from, unsigned bytes, unsigned reduction, const void* site) {
    if (!bytes || bytes % BULK_ALIGNMENT) stop_crash("bulk size", site);
    if (reduction > u32(Reduction::Xor)) stop_crash("bulk size", site);
    check_bulk_place((u64)from, BULK_ALIGNMENT, Action::Read, site);
    check_bulk_place((u64)to, BULK_ALIGNMENT, Action::Write, site);
    BulkCopy& c = make_bulk_copy(site, Reduction(reduction));
    add_piece(c, (u64)to, (u64)from, bytes);
    start_in_group(c, site);
}

void emu_bulk_commit() {
    BulkGroups& mine = bulk_groups_of[current->slot];
    mine.closed.push() = mine.writer.interval;
    mine.group++;
}

void emu_bulk_wait(unsigned prior, unsigned read_only, const void* site) {
    current->site = site;
    land_bulk_groups(*current, prior, read_only);
}

void emu_bulk_load_tile(void* to, const void* map_at, int c0, int c1, int c2, int c3, int c4, unsigned rank,
                        void* barrier, unsigned blocks, const void* site) {
    const TensorMap map = read_tensor_map(map_at, rank, site);
    const i32 at[] = {c0, c1, c2, c3, c4};
    check_coordinates(map, at, false, site);
    each_destination(to, barrier, blocks, site, [&](u64 there, u64 its_barrier) {
        check_remote(there, Action::Write, site);
        check_tile(there, map, Action::Write, site);
        BulkCopy& c = make_bulk_copy(site, Reduction::None);
        c.bytes = map.tile_bytes();
        each_row(
            map, at, there, [&](u64 tile, u64 from, u64 bytes) { add_piece(c, tile, from, bytes); },
            [&](u64 tile, u64 bytes) { add_piece(c, tile, 0, 0, bytes); });
        start_at_mbarrier(c, false, its_barrier, site, is_in_memory((u64)map_at) ? (u64)map_at : 0);
    });
}

void emu_bulk_store_tile(const void* from, const void* map_at, int c0, int c1, int c2, int c3, int c4, unsigned rank,
                         unsigned adds, const void* site) {
    const TensorMap map = read_tensor_map(map_at, rank, site);
    const i32 at[] = {c0, c1, c2, c3, c4};
    check_coordinates(map, at, true, site);
    check_tile((u64)from, map, Action::Read, site);
    BulkCopy& c = make_bulk_copy(site, adds ? addition_of(map, site) : Reduction::None);
    each_row(map, at, (u64)from, [&](u64 tile, u64 to, u64 bytes) { add_piece(c, to, tile, bytes); }, [](u64, u64) {});
    start_in_group(c, site, is_in_memory((u64)map_at) ? (u64)map_at : 0);
}

void emu_bulk_map_replace(void* at, unsigned field, unsigned axis, unsigned long long value, const void* site) {
    if (in_stack(*current, (u64)at, sizeof(TensorMap))) stop_crash("no tensor map", site);
    check_bulk_place((u64)at, TensorMap::ALIGNMENT, Action::Write, site);
    access_pieces((u64)at, sizeof(TensorMap), 16, Action::Read, site);
    access_pieces((u64)at, sizeof(TensorMap), 16, Action::Write, site);
    must_be_in_window(at, sizeof(TensorMap));
    TensorMap map;
    __builtin_memcpy(&map, at, sizeof map);
    if (map.magic != TensorMap::MAGIC) stop_crash("no tensor map", site);
    if (!map.replace(field, axis, value)) stop_crash("field of a tensor map", site);
    Observers::settle();
    __builtin_memcpy(at, &map, sizeof map);
    record_change();
}

void emu_bulk_map_fence(unsigned acquires, const void* site) {
    current->site = site;
    Observers::fence_maps(*current, acquires);
}

void emu_bulk_fence(unsigned spaces, const void* site) {
    current->site = site;
    Observers::fence_proxy(*current, spaces & 1, spaces & 2);
}
}
#pragma GCC visibility pop
