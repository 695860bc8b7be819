// Threads as fibers: a switch saves the six callee-saved registers and the stack pointer (System V
// x86-64 ABI), which costs a tenth of swapcontext's system call.
#pragma once
#include "runtime.h"
#include <sys/mman.h>

constexpr u64 STACK_BYTES = 64 * 1024, GUARD_BYTES = 4096;

extern "C" void emu_switch(void** save, void* load);
asm(R"(
.globl emu_switch
.hidden emu_switch
emu_switch:
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
)");

static u8* stacks;  // STACK_BYTES each, below each a guard page that faults
static u32 stack_count;

// Address space for the stacks of all threads that may be alive at once.
static void fibers_reserve(u32 count) {
    stacks = (u8*)mmap(nullptr, count * (STACK_BYTES + GUARD_BYTES), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED) refuse("no address space");
    stack_count = count;
}

// Makes the stacks [from, from + count) usable.
static void fibers_open(u32 from, u32 count) {
    for (u32 i = from; i < from + count; i++)
        mmap(stacks + i * (STACK_BYTES + GUARD_BYTES) + GUARD_BYTES, STACK_BYTES, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static bool in_stacks(u64 address) { return address - (u64)stacks < stack_count * (STACK_BYTES + GUARD_BYTES); }

static bool in_guard(u64 address) {
    return in_stacks(address) && (address - (u64)stacks) % (STACK_BYTES + GUARD_BYTES) < GUARD_BYTES;
}

static void fiber_prepare(Thread& t, u32 i, void (*entry)()) {
    t.stack_low = (u64)stacks + i * (STACK_BYTES + GUARD_BYTES) + GUARD_BYTES;
    // Stacks that all began at one place of a page would fight for the same few lines of the cache.
    u64* top = (u64*)(t.stack_low + STACK_BYTES - i % 32 * 128);
    *--top = 0;  // keeps the stack 16-byte aligned as a call would leave it
    *--top = (u64)entry;
    for (int r = 0; r < 6; r++) *--top = 0;
    t.stack_pointer = top;
}
