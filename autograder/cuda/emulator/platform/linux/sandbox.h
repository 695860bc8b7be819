// The kernel's text is native code. A system-call filter lets through only writing the result, memory without execute
// permission, guards of stacks, and the end; limits hold for memory, time and the result.
#pragma once
#include "files.h"
#include "stacks.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

constexpr u64 GRACE_SECONDS = 5;     // for what the timer of signals.h ends: only what it cannot end meets the limit
constexpr u64 LIBRARIES = 64 << 20;  // what the C library may take for itself

// Bytes of address space in use: far more than memory, since shadow memory is reserved. It is the least limit that leaves
// room for one more page: /proc, which would say it, is closed where notebooks are graded.
static u64 address_space() {
    rlimit given;
    getrlimit(RLIMIT_AS, &given);
    u64 low = 0, high = given.rlim_max < 1ull << 47 ? given.rlim_max : 1ull << 47;
    while (high - low > 1 << 20) {
        u64 middle = low + (high - low) / 2;
        const rlimit tried = {middle, given.rlim_max};
        setrlimit(RLIMIT_AS, &tried);
        void* page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED) {
            low = middle;
        } else {
            munmap(page, 4096);
            high = middle;
        }
    }
    return high;
}

static void limit(decltype(RLIMIT_AS) what, u64 most, u64 more = 0) {
    const rlimit both = {most, most + more};
    setrlimit(what, &both);
}

static bool seal_process(u64 memory, u64 cpu_seconds) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NPROC, 0);
    limit(RLIMIT_FSIZE, MAX_ANSWER);
    limit(RLIMIT_CPU, cpu_seconds + GRACE_SECONDS, 1);  // by SIGXCPU: SIGKILL is what a machine without memory sends
    limit(RLIMIT_AS, address_space() + memory + LIBRARIES);
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
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RESULT_DESCRIPTOR, 7, 6),
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
