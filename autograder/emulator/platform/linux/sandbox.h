// The kernel's text is native code. A system-call filter lets through only writing the result, memory without execute
// permission, guards of stacks, and the end; limits hold for memory.
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

constexpr u64 MEMORY_LIMIT = 64ull << 30;  // address space: shadow memory is reserved, not used

static bool seal_process() {
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
