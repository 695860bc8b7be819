// Reads of what no thread has written: of shared memory (no thread of the block), and of arrays that came without
// values, or variables of which only the beginning has some. A read is judged when its barrier interval is over: if another thread writes the element within the interval,
// with nothing that puts the read first, then the two race, and the mistake is the missing order. In a cluster, whose
// other blocks may write too, reads are judged when the barrier of the cluster opens.
#pragma once
#include "happens_before.h"
#include "launch/shadow.h"
#include "launch/stop.h"
#include "events/observer.h"

struct Initialization : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::Covered;
    static constexpr int turn = -3;  // queries HappensBefore
    struct Record {
        UninitializedRead read;
        u64 latest;  // the offset that was counted last, and in which block
        u32 latest_block;
    };
    struct EarlyRead {
        UninitializedRead read;
        u32 interval, clock;
        bool atomic;
        u32* number;  // where its number + 1 is; null: with the shared memory of a block in a cluster
    };
    static inline Vector<Record> records;
    static inline Vector<EarlyRead> early_reads;  // of this interval
    static inline Shadow<u64> written;            // (block + 1) << 4 | mask of the bytes that were
    static inline Shadow<u32> early;              // number + 1 of the early read in this interval; 0: none
    // The early reads of a block that is put aside, by its slot; or those of its cluster, by that one's.
    static inline Vector<EarlyRead>* aside;

    static void prepare() {
        written.prepare();
        early.prepare();
        for (u32 i = 0; i < variable_count; i++) {
            const Variable& v = variables[i];
            for (u64 g = first_shadow_word(v); v.without_values == 2 && g < first_shadow_word(v) + shadow_words_of(v);
                 g++)
                if (had_value(v, g)) written.of_variable[i][g] = 1 << 4 | 15;
            if (v.held)
                each_shadow_word(module_region, v.start, v.held,
                                 [&](u64 g, u32 mask) { written.of_variable[i][g] = 1 << 4 | mask; });
        }
        aside = allocate_array<Vector<EarlyRead>>(request.residents);
    }

    static ALWAYS_INLINE void access(const Access& a) {
        bool shared = a.at.variable->space == Space::Shared;
        if (!shared && !a.at.variable->without_values && !a.at.variable->held) return;
        const Region& region = *a.at.region;
        u64 stamp = shared ? u64(owner_of(a.at) + 1) << 4 : 1 << 4;
        if (a.action == Action::Read && a.size == 4 && a.address % 4 == 0 &&
            LIKELY(written.of(a.at)[(a.address - region.low) / 4] == (stamp | 15)))
            return;  // by far the commonest
        each_shadow_word(region, a.address, a.size, [&](u64 g, u32 mask) { access_shadow_word(a, g, mask, stamp); });
    }

    static void read_constant(const Access& a) { access(a); }

    static void begin_heap_block(u64 address, u64 bytes, bool has_values) {
        Where w = find_array(address, 1);
        each_shadow_word(*w.region, address, bytes, [&](u64 g, u32 mask) {
            written.of(w)[g] = 1 << 4 | (has_values ? mask : 0);
            early.of(w)[g] = 0;
        });
    }

    static void begin_block() {
        if (!is_clustered()) return;
        early.forget_shared();
        take_early_reads();
    }

    static void open_barrier() {
        if (!is_clustered()) judge();
    }
    static void end_block() {
        if (!is_clustered() || block.cluster->ended == cluster_size()) judge();
    }
    static void open_cluster_barrier(const Cluster& c) {
        block = *c.blocks[0];
        take_early_reads();
        judge();
        put_early_reads_aside();
        for (u32 rank = 0; rank < cluster_size(); rank++) early.forget_aside(c.blocks[rank]->slot);
    }

    static void put_block_aside() {
        written.save_shared();
        if (is_clustered()) early.save_shared();
        put_early_reads_aside();
    }

    static void take_block_up() {
        written.restore_shared();
        if (is_clustered()) early.restore_shared();
        take_early_reads();
    }

    static void fill_answer() {
        UninitializedRead* reads = allocate_array<UninitializedRead>(records.count);
        for (u64 i = 0; i < records.count; i++) reads[i] = records.items[i].read;
        answer.uninitialized = {reads, records.count};
    }

private:
    static constexpr u64 MOST_OF_STRUCT = 1024;  // bytes: what is larger is an array that is copied

    static Vector<EarlyRead>& set_aside() { return aside[block.cluster ? block.cluster->slot : block.slot]; }

    static void put_early_reads_aside() {
        for (u64 i = 0; i < early_reads.count; i++)
            if (early_reads.items[i].number) *early_reads.items[i].number = 0;
        set_aside() = early_reads;
        early_reads = {};
    }

    static void take_early_reads() {
        early_reads = set_aside();
        for (u64 i = 0; i < early_reads.count; i++)
            if (early_reads.items[i].number) *early_reads.items[i].number = u32(i + 1);
    }

    // Whether the early read came before what `t` does now.
    static bool read_first(const EarlyRead& r, const Thread& t) {
        return HappensBefore::comes_before(r.read.at.block, r.interval, r.read.at.thread, r.clock, t);
    }

    // Whether what is read counts as unwritten, though other bytes of it may be written: of a struct with gaps, or of what
    // a program keeps, those that nobody needs may stay unwritten.
    static bool is_without_value(const Access& a, u64 stamp) {
        const Variable& v = *a.at.variable;
        if (!copying.has_gaps && !v.uses && !v.held) return true;
        u64 low = a.address, end = low + a.size;
        if (copying.size && copying.size <= MOST_OF_STRUCT) {
            u64 struct_end = copying.address + copying.size, array_end = v.start + v.bytes;
            low = copying.address > v.start ? copying.address : v.start;
            end = struct_end < array_end ? struct_end : array_end;
        }
        bool found = false;
        each_shadow_word(*a.at.region, low, end - low, [&](u64 g, u32 mask) {
            u64 bytes = written.of(a.at)[g];
            found |= bytes >> 4 == stamp >> 4 && bytes & mask;
        });
        return !found;
    }

    static void access_shadow_word(Access a, u64 g, u32 mask, u64 stamp) {
        const Thread& t = a.thread;
        bool atomic = a.action == Action::Atomic;
        bool reads = a.action == Action::Read || (atomic && t.atomic_part != Part::Stores);
        bool writes = a.action == Action::Write || (atomic && t.atomic_part != Part::Loads);
        u64& bytes = written.of(a.at)[g];
        if (bytes >> 4 != stamp >> 4) bytes = stamp;
        bool unwritten = mask & ~bytes;
        answer.saw_uninitialized |= unwritten && a.action != Action::Write;  // an exchange, too
        if (UNLIKELY(reads && unwritten) && is_without_value(a, stamp)) {
            u32& number = early.of(a.at)[g];
            if (!number) {
                u64 offset = a.address - a.at.variable->start;
                bool moves = is_clustered() && a.at.variable->space == Space::Shared;
                early_reads.push() = {{a.at.id, offset, 1, location(t, a.site), owner_of(a.at)},
                                      block.interval,
                                      HappensBefore::of(t).clock,
                                      atomic,
                                      moves ? nullptr : &number};
                number = u32(early_reads.count);
            }
        }
        if (!writes) return;
        bytes |= mask;
        // (Of two atomics that read, one is the first, whichever.)
        u32 number = early_reads.count ? early.of(a.at)[g] : 0;
        if (LIKELY(!number)) return;
        EarlyRead& read = early_reads.items[number - 1];
        if (!(read.atomic && atomic && reads) && !read_first(read, t)) read.read.count = 0;
    }

    // Of a barrier interval that is over. Where the launch stops within one, its early reads are not judged: who would
    // have written is not known.
    static void judge() {
        for (u64 i = 0; i < early_reads.count; i++) {
            const UninitializedRead& read = early_reads.items[i].read;
            if (early_reads.items[i].number) *early_reads.items[i].number = 0;
            if (read.count) record(read);
        }
        early_reads.count = 0;
    }

    static void record(const UninitializedRead& read) {
        u64 i = 0;
        auto alike = [&](const UninitializedRead& r) {
            return r.at.site == read.at.site && r.variable == read.variable;
        };
        while (i < records.count && !alike(records.items[i].read)) i++;
        if (i == records.count) records.push() = {read, read.offset, read.at.block};
        Record& r = records.items[i];
        // The words of one wide element follow each other.
        if (r.latest != read.offset || r.latest_block != read.at.block) r.read.count++;
        r.latest = read.offset;
        r.latest_block = read.at.block;
    }
};
