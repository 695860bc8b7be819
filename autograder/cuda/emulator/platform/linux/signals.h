// Signals that end a launch: what the processor or the sandbox forbids, and a timer.
#pragma once
#include "stacks.h"
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

static void (*fault_handler)(Fault, u64 site);
static void (*time_slice_handler)(u64 site);

// As of an instruction that calls, whose return address follows it.
static u64 site_of_signal(void* context) { return u64(((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP]) + 1; }

static u64 pointer_of_full_stack;

// Looks for what a call leaves there: other words on the stack may point to code, too.
static const void* latest_call(u64 base, u64 size) {
    constexpr u64 STRIDE = STACK_BYTES + GUARD_BYTES;
    u64 from = pointer_of_full_stack - (u64)stacks;
    if (from >= bytes_of_stacks) return nullptr;
    u64 low = from / STRIDE * STRIDE + GUARD_BYTES, end = low - GUARD_BYTES + STRIDE;
    for (u64 at = from > low ? (from + 7) & ~7ull : low; at < end; at += 8) {
        u64 word = *(u64*)(stacks + at);
        if (word - base < 6 || word - base >= size) continue;
        const u8* next = (const u8*)word;
        if (next[-5] == 0xe8 || (next[-6] == 0xff && next[-5] == 0x15)) return next;
    }
    return nullptr;
}

static void on_fault(int signal, siginfo_t* info, void* context) {
    bool overflow = signal == SIGSEGV && in_guard((u64)info->si_addr);
    pointer_of_full_stack = u64(((ucontext_t*)context)->uc_mcontext.gregs[REG_RSP]);
    fault_handler(signal == SIGFPE   ? Fault::DivisionByZero
                  : overflow         ? Fault::StackOverflow
                  : signal == SIGSYS ? Fault::SystemCall
                  : signal == SIGILL ? Fault::UnreachableCode
                                     : Fault::WildPointer,
                  site_of_signal(context));
}

static void on_tick(int, siginfo_t*, void* context) { time_slice_handler(site_of_signal(context)); }

static void watch_process(void (*fault)(Fault, u64), void (*tick)(u64)) {
    static u8 alternate[64 * 1024];
    fault_handler = fault;
    time_slice_handler = tick;
    stack_t stack = {};
    stack.ss_sp = alternate;
    stack.ss_size = sizeof alternate;
    sigaltstack(&stack, nullptr);
    struct sigaction action = {};
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    action.sa_sigaction = on_fault;
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    for (int s : faults) sigaction(s, &action, nullptr);
    action.sa_sigaction = on_tick;
    sigaction(SIGPROF, &action, nullptr);
    itimerval every = {{0, TICK_MS * 1000}, {0, TICK_MS * 1000}};
    setitimer(ITIMER_PROF, &every, nullptr);
}
