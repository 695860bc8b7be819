// The kernel's text is native code. Before it runs, this process gives up everything but computing:
// a system-call filter that lets through only writing the result, memory without execute permission,
// guards of stacks and the end; limits on memory; a timer; and handlers that turn faults into findings.
#pragma once
#include "findings.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>

constexpr u64 MEMORY_LIMIT = 64ull << 30;  // address space: the shadow is reserved, not used
constexpr u32 TICK_MS = 100, SILENT_TICKS = 20;
static u64 ticks;

static void on_tick(int, siginfo_t*, void* context) {
    static u64 steps_seen, turns_seen;
    static u32 silent;
    const void* site = (const void*)(((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP] + 1);
    bool in_kernel = current && (u64)site - module_base < request.module_image;
    u64 progress = total_steps + (turn - turn_left);
    silent = progress == steps_seen && (u64)current == turns_seen && current ? silent + 1 : 0;
    steps_seen = progress;
    turns_seen = (u64)current;
    if (++ticks * TICK_MS > request.cpu_ms || silent > SILENT_TICKS)
        stop_limit(Limit::Time, in_kernel ? site : current ? current->site : nullptr);
}

static void on_fault(int signal, siginfo_t* info, void* context) {
    const void* site = (const void*)(((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP] + 1);
    // In the runtime or the C library, called by the kernel: the thread's last known place is all there is.
    if ((u64)site - module_base >= request.module_image) site = current ? current->site : nullptr;
    if (!current && signal != SIGSYS) end_process(Status::Fault);
    if (signal == SIGFPE) stop_crash("division by zero", site);
    if (signal == SIGSEGV && in_guard((u64)info->si_addr)) stop_crash("stack overflow", site);
    if (signal == SIGSYS) stop(ForbiddenCall{location_of_current(site)});
    stop_crash(signal == SIGILL ? "unreachable code" : "wild pointer", site);
}

static void catch_signals() {
    static u8 alternate[64 * 1024];
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

static bool seal() {
    rlimit none = {0, 0}, memory = {MEMORY_LIMIT, MEMORY_LIMIT};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_NPROC, &none);
    setrlimit(RLIMIT_AS, &memory);
    constexpr u32 TRAP = SECCOMP_RET_TRAP, ALLOW = SECCOMP_RET_ALLOW;
#define ARG_LOW(n) (offsetof(seccomp_data, args) + (n) * 8)
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, TRAP),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 11, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 10, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARG_LOW(0)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RESULT_FD, 7, 6),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARG_LOW(2)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, GUARD_INSTALL, 4, 3),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARG_LOW(2)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, TRAP),
        BPF_STMT(BPF_RET | BPF_K, ALLOW),
    };
#undef ARG_LOW
    sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
