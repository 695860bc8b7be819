// Registers that the tensor cores own while a product of a warpgroup is under way: its sums, which the thread may neither
// read nor write, and a first factor in registers, which it may not write. And registers that a thread has written since its
// last `wgmma.fence`, which no product may use.
#pragma once
#include "launch/stop.h"
#include "events/observer.h"

struct Registers : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::Covered;
    static constexpr int turn =
        1;  // before LocalArrays, which may end the question whether an access of the stack is watched
    // By words of the thread's stack: who has it; else by how many fences it was written last.
    static constexpr u32 TAKEN = 1u << 31, LENT = 1u << 24, LENT_MASK = TAKEN - LENT, FENCES = LENT - 1;
    static inline u32** words;  // by the number of the stack; null: its thread has met no fence
    static inline u32* fences;  // by the thread's slot

    static void prepare() {
        words = allocate_array<u32*>(request.residents * block.size);
        fences = allocate_array<u32>(request.residents * block.size);
    }
    static void begin_block() { __builtin_memset(fences + block.slot * block.size, 0, block.size * sizeof(u32)); }
    static void end_thread(const Thread& t) {
        if (UNLIKELY(words[t.stack])) __builtin_memset(words[t.stack], 0, STACK_BYTES);
    }

    static ALWAYS_INLINE bool access_stack(Thread& t, u64 address, u64 size, Action action, const void* site) {
        if (UNLIKELY(words[t.stack])) look(t, address, size, action, site);
        return false;
    }

    static void fence_registers(const Thread& t) {
        fences[t.slot]++;
        if (!words[t.stack]) words[t.stack] = (u32*)allocate_lazily(STACK_BYTES);
    }
    static void take_register(const Thread& t, u64 address, bool, const void* site) {
        u32& word = word_at(t, address, site);
        if (word & (TAKEN | LENT_MASK)) stop_crash("registers in use", site);
        word = TAKEN;
    }
    static void give_register(const Thread& t, u64 address) { words[t.stack][(address - t.stack_low) / 4] = 0; }
    static void lend_register(const Thread& t, u64 address, const void* site) {
        u32& word = word_at(t, address, site);
        if (word & TAKEN) stop_crash("registers in use", site);
        word = ((word & LENT_MASK) + LENT);
    }
    static void return_register(const Thread& t, u64 address) { words[t.stack][(address - t.stack_low) / 4] -= LENT; }

private:
    static u32& word_at(const Thread& t, u64 address, const void* site) {
        if (!fences[t.slot]) stop_crash("product without a fence", site);
        u32& word = words[t.stack][(address - t.stack_low) / 4];
        if ((word & FENCES) == fences[t.slot]) stop_crash("product without a fence", site);
        return word;
    }

    static void look(const Thread& t, u64 address, u64 size, Action action, const void* site) {
        u64 first = (address - t.stack_low) / 4, last = (address + size - 1 - t.stack_low) / 4;
        for (u64 i = first; i <= last; i++) {
            u32& word = words[t.stack][i];
            bool writes = action != Action::Read;
            if (UNLIKELY((word & TAKEN) || (writes && word & LENT_MASK))) stop_crash("registers in use", site);
            if (writes) word = fences[t.slot] & FENCES;
        }
    }
};
