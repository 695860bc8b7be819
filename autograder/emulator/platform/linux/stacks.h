// Threads as fibers: a switch saves the stack pointer, and lets the compiler save what else it needs, which costs a
// tenth of swapcontext's system call.
#pragma once
#include "../platform.h"
#include <sys/mman.h>

constexpr u64 GUARD_BYTES = 4096;
constexpr int GUARD_INSTALL = 102;  // Linux's MADV_GUARD_INSTALL, which headers do not know yet

// Where to go on stands on top of the stack at `load`, as a switch or begin_stack left it. It jumps, since processors
// predict a return to whoever called last, and here it never is. (Without `-mno-red-zone` a function might have
// something below its stack pointer.)
static ALWAYS_INLINE void switch_stacks(void** save, void* load) {
    asm volatile("push %%rbp\n"
                 "lea 1f(%%rip), %%rax\n"
                 "push %%rax\n"
                 "mov %%rsp, (%%rdi)\n"
                 "mov %%rsi, %%rsp\n"
                 "pop %%rax\n"
                 "jmp *%%rax\n"
                 "1: pop %%rbp\n"
                 : "+D"(save), "+S"(load)
                 :
                 : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
                   "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                   "xmm14", "xmm15", "cc", "memory");
}

static void leave_stack(void* load) {
    void* unused;
    switch_stacks(&unused, load);
    __builtin_unreachable();
}

static u8* stacks;  // STACK_BYTES each, and below each a guard page that faults
static u32 stack_count;

static void reserve_stacks(u32 count) {
    stacks = (u8*)mmap(nullptr, count * (STACK_BYTES + GUARD_BYTES), PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED) refuse("no address space");
    stack_count = count;
}

// The stacks are one mapping: making a mapping for each takes the system longer than a small launch runs. Linux before
// 6.13 knows no guard within a mapping, so there each is one.
static void open_stacks(u32 from, u32 count) {
    constexpr int FIXED = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    u8* guard = stacks + from * (STACK_BYTES + GUARD_BYTES);
    mmap(guard, count * (STACK_BYTES + GUARD_BYTES), PROT_READ | PROT_WRITE, FIXED, -1, 0);
    for (u32 i = 0; i < count; i++, guard += STACK_BYTES + GUARD_BYTES)
        if (madvise(guard, GUARD_BYTES, GUARD_INSTALL)) mmap(guard, GUARD_BYTES, PROT_NONE, FIXED, -1, 0);
}

static bool in_stacks(u64 address) { return address - (u64)stacks < stack_count * (STACK_BYTES + GUARD_BYTES); }

static bool in_guard(u64 address) {
    return in_stacks(address) && (address - (u64)stacks) % (STACK_BYTES + GUARD_BYTES) < GUARD_BYTES;
}

static Stack begin_stack(u32 i, void (*entry)()) {
    u64 low = (u64)stacks + i * (STACK_BYTES + GUARD_BYTES) + GUARD_BYTES;
    // Stacks that all began at one place of a page would fight for the same few cache lines.
    u64* top = (u64*)(low + STACK_BYTES - i % 32 * 128);
    *--top = 0;  // keeps the stack 16-byte aligned as a call would leave it
    *--top = (u64)entry;
    return {low, top};
}

// Each frame ends in the saved frame pointer and the return address.
static ALWAYS_INLINE bool belongs_to_calls(u64 stack_low, u64 address, u64 size, const void* site) {
    for (u64 frame = (u64)__builtin_frame_address(0); frame - stack_low < STACK_BYTES - 16; frame = *(u64*)frame) {
        bool is_runtimes = ((const void**)frame)[1] == site;  // and so is all below
        if (address < frame + 16 && (is_runtimes || address + size > frame)) return true;
    }
    return false;
}
