// A launch without what one kind of memory holds, what other threads, or other blocks, left in shared memory, what threads
// left there after they had read there, or what shuffles hand over: who asks for it finds zeros. Or without the products
// of matrices, whose first factor is zero: all, or every second one of a thread. Or without what a compare-and-swap stores:
// it says that it has swapped, and is then undone. The thread's next one at the same place finds what it has stored, so no
// loop around it goes on. Results that are as before did not need it. (What is written stays in memory, and atomics find
// it: an element is only another one while it is read.)
// In a mixed-up launch they find not zeros but what was found in this way the time before and differs. Results that are
// as before needed no more than that something was there, such as a 1 by which to multiply.
//
// Or a launch records what each thread finds in this way, and one with other data replays it. Results that are right for
// the other data came by another way, whatever the threads do with what they find.
#pragma once
#include "events/observer.h"

struct Ablations : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::Covered;
    static constexpr int turn = 9;  // the others see what memory holds
    struct Saved {
        u64 address;
        u32 size;
        u32 swapper;  // the slot + 1 of the thread whose swap is undone
        u8 bytes[16];
    };
    static inline Vector<Saved> saved;  // of what is being read, or swapped
    struct Swapped {
        u64 address;
        u8 bytes[16];
    };
    static inline Swapped* swapped;  // by the thread's slot: its latest swap that was undone
    static inline bool swaps;        // the next atomic operation does
    static constexpr u32 MAX_SIZE = 64;
    struct Values {
        u8 latest[MAX_SIZE], before[MAX_SIZE];  // which differ
        u32 count;
    };
    static inline Values found[MAX_SIZE + 1];  // by size
    // The record has the place of the trace: of each thread of the launch, where its first value is, and then the values.
    // What has no room there is not replayed.
    struct Recorded {
        u32 next;  // of the same thread; 0: none
        u32 size : 31;
        u32 hidden : 1;  // it came by what is suppressed
        u8 value[];
    };
    static inline u32* first;   // by the thread's number in the launch; in a replay, of those still to come
    static inline u32* latest;  // the same, while they are recorded
    static inline u64 record_end;
    // Of each byte of shared memory, by the block's slot: the number + 1 of its thread that wrote it; or SEVERAL, if an
    // atomic operation did; or ANOTHER_BLOCK, if one of the cluster did, by an atomic operation or not. Where results in
    // between count: NOBODY, if it has read no shared memory before, from which it could have computed one.
    static inline u16** writers;
    static constexpr u16 NOBODY = 0, ANOTHER_BLOCK = 0xfffe, SEVERAL = 0xffff;
    static inline bool* has_read;    // by the thread's slot
    static inline u8* odd_products;  // by the thread's slot: whether it has made an odd number of them

    static void prepare() {
        if (records_or_replays()) {
            u64 threads = block_count() * block.size;
            record_end = (threads * sizeof(u32) + 7) & ~7ull;
            if (record_end <= trace_file.size) first = (u32*)trace_file.bytes;
            latest = (u32*)allocate_lazily(threads * sizeof(u32));
        }
        if (drops_half()) odd_products = allocate_array<u8>(request.residents * block.size);
        if (request.ablation == Ablation::CompareAndSwap)
            swapped = allocate_array<Swapped>(request.residents * block.size);
        if (!follows_writers()) return;
        writers = allocate_array<u16*>(request.residents);
        has_read = allocate_array<bool>(request.residents * block.size);
    }

    static void begin_block() {
        if (drops_half()) __builtin_memset(odd_products + block.slot * block.size, 0, block.size);
        if (swapped) __builtin_memset(swapped + block.slot * block.size, 0, block.size * sizeof(Swapped));
        if (!follows_writers()) return;
        __builtin_memset(has_read + block.slot * block.size, 0, block.size);
        u64 bytes = shared_end - shared_low;
        u16*& mine = writers[block.slot];
        if (!mine) mine = allocate_array<u16>(bytes);
        __builtin_memset(mine, 0, bytes * sizeof(u16));
    }

    static ALWAYS_INLINE void settle() {
        for (u64 i = 0; i < saved.count; i++) {
            const Saved& k = saved.items[i];
            if (k.swapper && __builtin_memcmp((const void*)k.address, k.bytes, k.size)) {
                Swapped& mine = swapped[k.swapper - 1];
                mine.address = k.address;
                __builtin_memcpy(mine.bytes, (const void*)k.address, k.size);
            }
            __builtin_memcpy((void*)k.address, k.bytes, k.size);
        }
        saved.count = 0;
    }

    static ALWAYS_INLINE void access(const Access& a) {
        if (LIKELY(request.ablation == Ablation::Nothing)) return;
        bool undone = swaps && a.action == Action::Atomic && request.ablation == Ablation::CompareAndSwap;
        if (a.action == Action::Atomic) swaps = false;
        bool shared = a.at.variable->space == Space::Shared;
        // What other blocks have added up in a block's memory, it may take from there by an atomic operation.
        bool takes =
            a.action == Action::Atomic && request.ablation == Ablation::DistributedSharedMemory && !a.at.remote;
        bool reads = shared && (a.action == Action::Read || takes);
        bool hidden = reads && (follows_writers() ? !may_read(a) : request.ablation == Ablation::SharedMemory);
        if (shared && follows_writers() && !(a.engine && a.action == Action::Read)) note(a);
        if (a.engine) return;  // it hands on what is there
        if (!undone && !hidden && !(reads && records_or_replays())) return;
        keep(a.address, a.size);
        if (undone) swap_again(a);
        else suppress((u8*)a.address, a.size, hidden);
    }

    static void read_constant(const Access& a) {
        if (request.ablation != Ablation::ConstantMemory) return;
        keep(a.address, a.size);
        // Word by word: of what is wider, all lanes may read the same, and there is no other to put in its place.
        for (u32 at = 0; at < a.size; at += 4) suppress((u8*)a.address + at, a.size - at < 4 ? a.size - at : 4);
    }

    static void compare_and_swap() { swaps = true; }

    static void warp_operation(const Thread&, const char* function) {
        if (request.ablation == Ablation::Shuffles && function && __builtin_strstr(function, "shfl"))
            suppress((u8*)&current->value, sizeof current->value);
    }

    static void matrix_product(u8* a, u32 bytes) {
        bool suppressed = request.ablation == Ablation::MatrixProducts;
        if (drops_half()) {
            u8& odd = odd_products[current->slot];
            suppressed = odd == (request.ablation == Ablation::OddMatrixProducts);
            odd ^= 1;
        }
        if (suppressed) suppress(a, bytes);  // what is added to stays
    }

private:
    static void keep(u64 address, u32 size) {
        Saved& k = saved.push();
        k.swapper = 0;
        k.address = address;
        k.size = size;
        __builtin_memcpy(k.bytes, (const void*)address, size);
    }

    static void swap_again(const Access& a) {
        saved.items[saved.count - 1].swapper = a.thread.slot + 1;
        const Swapped& mine = swapped[a.thread.slot];
        if (mine.address == a.address) __builtin_memcpy((void*)a.address, mine.bytes, a.size);
    }

    static void suppress(u8* value, u32 size, bool hidden = true) {
        switch (request.substitute) {
        case Substitute::Zeros:
            __builtin_memset(value, 0, size);
            break;
        case Substitute::Earlier:
            mix_up(value, size);
            break;
        case Substitute::Recorded:
            record(value, size, hidden);
            break;
        case Substitute::Replayed:
            replay(value, size, hidden);
            break;
        }
    }

    static void mix_up(u8* value, u32 size) {
        Values& v = found[size];
        if (!v.count || __builtin_memcmp(value, v.latest, size)) {
            __builtin_memcpy(v.before, v.latest, size);
            __builtin_memcpy(v.latest, value, size);
            v.count++;
        }
        if (v.count > 1) __builtin_memcpy(value, v.before, size);
    }

    static bool records_or_replays() {
        return request.substitute == Substitute::Recorded || request.substitute == Substitute::Replayed;
    }
    static u64 number_of_current() { return (u64)block.linear * block.size + current->linear; }
    static Recorded& recorded_at(u64 at) { return *(Recorded*)(trace_file.bytes + at); }

    // Of memory, all that a thread reads: with other data, another part of it may come by what is suppressed.
    static void record(const u8* value, u32 size, bool hidden) {
        u64 end = (record_end + sizeof(Recorded) + size + 7) & ~7ull, thread = number_of_current();
        if (!first || end > trace_file.size) return;
        Recorded& r = recorded_at(record_end);
        r = {0, size, hidden, {}};
        __builtin_memcpy(r.value, value, size);
        (latest[thread] ? recorded_at(latest[thread]).next : first[thread]) = u32(record_end);
        latest[thread] = u32(record_end);
        record_end = end;
    }

    // A thread that finds something more often, or of another size, than in the record, finds what is there.
    static void replay(u8* value, u32 size, bool hidden) {
        u32* next = first ? &first[number_of_current()] : nullptr;
        if (!next || !*next) return;
        const Recorded& r = recorded_at(*next);
        if (r.size == size && (hidden || r.hidden)) __builtin_memcpy(value, r.value, size);
        *next = r.next;
    }

    static u16* writers_of(const Access& a) {
        return writers[a.at.remote ? remote_slot : block.slot] + (home_of(a.at, a.address) - shared_low);
    }

    static bool drops_half() {
        return request.ablation == Ablation::EvenMatrixProducts || request.ablation == Ablation::OddMatrixProducts;
    }

    static bool follows_writers() {
        return request.ablation == Ablation::HandedOver || request.ablation == Ablation::BetweenWarps ||
               request.ablation == Ablation::SharedStores || request.ablation == Ablation::DistributedSharedMemory;
    }

    static bool may_read(const Access& a) {
        if (a.at.remote) return false;
        if (request.ablation == Ablation::DistributedSharedMemory) return !has_part_of_another_block(a);
        const u16 reader = u16(a.thread.linear + 1);
        for (u32 i = 0; i < a.size; i++) {
            const u16 writer = writers_of(a)[i];
            bool may_see = request.ablation == Ablation::HandedOver ? writer == reader
                           : request.ablation == Ablation::BetweenWarps
                               ? writer && (writer - 1) / 32 == (reader - 1) / 32
                               : writer == NOBODY;
            if (!may_see) return false;
        }
        return true;
    }

    static bool has_part_of_another_block(const Access& a) {
        for (u32 i = 0; i < a.size; i++)
            if (writers_of(a)[i] == ANOTHER_BLOCK) return true;
        return false;
    }

    static void note(const Access& a) {
        if (a.action == Action::Read) {
            has_read[a.thread.slot] = true;
            return;
        }
        u16 writer = a.at.remote ? ANOTHER_BLOCK : a.action == Action::Write ? u16(a.thread.linear + 1) : SEVERAL;
        if (request.ablation == Ablation::SharedStores) writer = has_read[a.thread.slot] ? SEVERAL : NOBODY;
        if (writer == SEVERAL && has_part_of_another_block(a)) return;  // what it adds to stays the other block's, too
        for (u32 i = 0; i < a.size; i++) writers_of(a)[i] = writer;
    }
};
