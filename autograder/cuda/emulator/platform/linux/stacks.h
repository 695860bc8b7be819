// Threads as fibers: a switch saves the stack pointer, and lets the compiler save what else it needs, which costs a
// tenth of swapcontext's system call.
//
// A thread has two stacks. What its functions return by, and what the compiler alone uses, is on the processor's, which
// lies outside of the window. Variables whose address is taken are on one in the window (LLVM's SafeStack).
#pragma once
#include "window.h"
#include <sys/mman.h>

constexpr u64 GUARD_BYTES = 4096;
constexpr int GUARD_INSTALL = 102;  // Linux's MADV_GUARD_INSTALL, which headers do not know yet

// Where the running thread's functions take room for variables: the kernel's code keeps it, see cuda/compiler/fault_isolation/.
static u64& variables_pointer = *(u64*)(WINDOW - VARIABLES_BEFORE);

// Where to go on stands on top of the stack at `load`, as a switch or begin_stack left it. It jumps, since processors
// predict a return to whoever called last, and here it never is. (Without `-mno-red-zone` a function might have
// something below its stack pointer.)
static ALWAYS_INLINE void switch_stacks(void** save, void* load) {
    u64 variables = variables_pointer;
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
    variables_pointer = variables;
}

static void leave_stack(void* load) {
    void* unused;
    switch_stacks(&unused, load);
    __builtin_unreachable();
}

// Each of STACK_BYTES, and below each a guard page that faults.
static u8 *stacks, *variable_stacks;
static u64 bytes_of_stacks;

static void reserve_stacks(u32 count) {
    bytes_of_stacks = count * (STACK_BYTES + GUARD_BYTES);
    variable_stacks = take_of_window(bytes_of_stacks);
    constexpr int RESERVED = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    stacks = (u8*)mmap(nullptr, bytes_of_stacks, PROT_NONE, RESERVED, -1, 0);
    if (stacks == MAP_FAILED) refuse("no address space");
}

// The stacks are one mapping: making a mapping for each takes the system longer than a small launch runs. Linux before
// 6.13 knows no guard within a mapping, so there each is one, but not of those for variables: it has no room for that many,
// and who goes past the end of one stays in the window.
static void open_stacks_at(u8* guard, u32 count, bool is_processors) {
    constexpr int FIXED = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    mmap(guard, count * (STACK_BYTES + GUARD_BYTES), PROT_READ | PROT_WRITE, FIXED, -1, 0);
    for (u32 i = 0; i < count; i++, guard += STACK_BYTES + GUARD_BYTES)
        if (madvise(guard, GUARD_BYTES, GUARD_INSTALL) && is_processors)
            mmap(guard, GUARD_BYTES, PROT_NONE, FIXED, -1, 0);
}

static void open_stacks(u32 from, u32 count) {
    open_stacks_at(stacks + from * (STACK_BYTES + GUARD_BYTES), count, true);
    open_stacks_at(variable_stacks + from * (STACK_BYTES + GUARD_BYTES), count, false);
}

static bool in_stacks(u64 address) { return address - (u64)variable_stacks < bytes_of_stacks; }

static bool in_guard(u64 address) {
    u64 from = address - u64(in_stacks(address) ? variable_stacks : stacks);
    return from < bytes_of_stacks && from % (STACK_BYTES + GUARD_BYTES) < GUARD_BYTES;
}

// Where stack `i` begins. Stacks that all began at one place of a page would fight for the same few cache lines.
static u64 top_of_stack(u64 low, u32 i) { return low + STACK_BYTES - i % 32 * 128; }

static Stack begin_stack(u32 i, void (*entry)()) {
    u64 low = i * (STACK_BYTES + GUARD_BYTES) + GUARD_BYTES;
    u64* top = (u64*)top_of_stack((u64)stacks + low, i);
    *--top = 0;  // keeps the stack 16-byte aligned as a call would leave it
    *--top = (u64)entry;
    return {(u64)variable_stacks + low, top};
}

static void call_on_stack(void*, void (*)()) { __builtin_trap(); }  // here threads switch

static ALWAYS_INLINE void begin_variables(u64 low) {
    u32 i = u32((low - (u64)variable_stacks) / (STACK_BYTES + GUARD_BYTES));
    variables_pointer = top_of_stack(low, i);
}
static ALWAYS_INLINE u64 lowest_variable() { return variables_pointer; }
