// Starts a program that nobody trusts: `sandbox SECONDS PROGRAM ARGUMENTS`. It needs no C library, so that nothing runs
// before the walls stand: limits, and a list of system calls, for good and for all that the program may start.
//
// What the list leaves out, on purpose: whatever writes a file or makes one, or changes its size; every way to another
// process, so that nothing reaches the one that judges; new processes and threads, sockets, namespaces; and what would
// tell one run from the next: its number, which getpid(), gettid() and set_tid_address() return, and its limits.
//
// The dynamic loader reads libraries. Once it is done, `runtime/start.cpp` takes files away, too.
#include <linux/audit.h>
#include <linux/fcntl.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

namespace {
typedef unsigned long u64;

constexpr u64 ADDRESS_SPACE = 4ul << 30;  // the emulated GPU's memory is mapped twice, 1 GB each
constexpr u64 FILE_BYTES = 1ul << 30;     // as large as that memory, which is a file
constexpr u64 OPEN_FILES = 64;
constexpr u64 ABORT = 6, KILL = 9;

constexpr unsigned ALLOW = SECCOMP_RET_ALLOW, REFUSE = SECCOMP_RET_ERRNO | 1;  // EPERM

// To compute, to use memory, to read libraries, to write into what is open, and to end.
// clang-format off
constexpr unsigned ALLOWED[] = {
    SYS_read, SYS_write, SYS_close, SYS_stat, SYS_fstat, SYS_lstat, SYS_newfstatat, SYS_statx, SYS_lseek, SYS_pread64,
    SYS_readv, SYS_writev, SYS_access, SYS_faccessat, SYS_getcwd, SYS_mmap, SYS_mprotect, SYS_munmap, SYS_mremap,
    SYS_madvise, SYS_brk, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_sched_yield,
    SYS_nanosleep, SYS_execve, SYS_exit, SYS_exit_group, SYS_uname, SYS_sysinfo, SYS_getuid, SYS_geteuid, SYS_getgid,
    SYS_getegid, SYS_gettimeofday, SYS_time, SYS_times, SYS_getrusage, SYS_arch_prctl, SYS_set_robust_list, SYS_rseq,
    SYS_getrandom,
};
// clang-format on

long call(long number, u64 a = 0, u64 b = 0, u64 c = 0, u64 d = 0, u64 e = 0) {
    long result;
    register u64 fourth asm("r10") = d;
    register u64 fifth asm("r8") = e;
    asm volatile("syscall"
                 : "=a"(result)
                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth)
                 : "rcx", "r11", "memory");
    return result;
}

[[noreturn]] void fail(const char* text) {
    u64 size = 0;
    while (text[size]) size++;
    call(SYS_write, 2, u64(text), size);
    for (;;) call(SYS_exit_group, 3);
}

void limit(int what, u64 most, u64 more = 0) {
    const rlimit64 both = {most, most + more};
    if (call(SYS_prlimit64, 0, u64(what), u64(&both)) < 0) fail("A limit of the program cannot be set.\n");
}

class Filter {
public:
    Filter() {
        load(offsetof(seccomp_data, arch));
        end_unless(AUDIT_ARCH_X86_64);
        load(NUMBER);
        for (unsigned number : ALLOWED) end_if(number, ALLOW);
    }

    // Allows a system call if these bits of one of its arguments have this value.
    void allow_where(unsigned number, int argument, unsigned bits, unsigned value) {
        end_where(ALLOW, number, argument, bits, value);
    }

    // A system call ends so if these bits of one of its arguments have this value, and is refused otherwise.
    void end_where(unsigned how, unsigned number, int argument, unsigned bits, unsigned value) {
        add({BPF_JMP | BPF_JEQ | BPF_K, 0, 5, number});
        load(offsetof(seccomp_data, args) + unsigned(argument) * 8);
        add({BPF_ALU | BPF_AND | BPF_K, 0, 0, bits});
        end_if(value, how);
        end(REFUSE);
    }

    // Where Linux has no filters, no stranger's notebook runs (classroom/execution/sandbox.py).
    void close_in() {
        end(REFUSE);
        const sock_fprog program = {count_, steps_};
        call(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, u64(&program));
    }

private:
    static constexpr unsigned NUMBER = offsetof(seccomp_data, nr);
    sock_filter steps_[2 * sizeof ALLOWED / sizeof *ALLOWED + 70];
    unsigned short count_ = 0;

    void add(sock_filter step) { steps_[count_++] = step; }
    void load(unsigned at) { add({BPF_LD | BPF_W | BPF_ABS, 0, 0, at}); }
    void end(unsigned how) { add({BPF_RET | BPF_K, 0, 0, how}); }
    void end_if(unsigned value, unsigned how) {
        add({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value});
        end(how);
    }
    void end_unless(unsigned value) {
        add({BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value});
        end(REFUSE);
    }
};

u64 number_of(const char* text) {
    u64 out = 0;
    for (; *text >= '0' && *text <= '9'; text++) out = 10 * out + u64(*text - '0');
    return out;
}
}  // namespace

extern "C" [[noreturn]] __attribute__((used)) void begin(u64* stack) {
    char** arguments = (char**)(stack + 1);
    if (*stack < 3) fail("sandbox SECONDS PROGRAM ARGUMENTS\n");
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, number_of(arguments[1]), 1);  // first SIGXCPU, then SIGKILL
    limit(RLIMIT_FSIZE, FILE_BYTES);
    limit(RLIMIT_NOFILE, OPEN_FILES);
    limit(RLIMIT_AS, ADDRESS_SPACE);
    call(SYS_prctl, PR_SET_PDEATHSIG, KILL);
    call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1);
    constexpr unsigned WRITES = O_ACCMODE | O_CREAT | O_TRUNC, LAST_OF_FLAGS = F_GETFL, LAST_CLOCK = 15;
    Filter filter;
    filter.allow_where(SYS_open, 1, WRITES, 0);
    filter.allow_where(SYS_openat, 2, WRITES, 0);
    filter.allow_where(SYS_fcntl, 1, ~unsigned(LAST_OF_FLAGS), 0);  // what exec() closes
    // To wait and to wake; others write the process's number. The clocks of processes are called by it, too.
    filter.allow_where(SYS_futex, 1, ~unsigned(FUTEX_WAKE | FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME), 0);
    constexpr unsigned OF_CLOCKS[] = {SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep};
    for (unsigned number : OF_CLOCKS) filter.allow_where(number, 0, ~LAST_CLOCK, 0);
    // abort(), which does not know the process's number, either. (process.py tells from it what SIGSYS means.)
    filter.end_where(SECCOMP_RET_KILL_PROCESS, SYS_tgkill, 2, ~0u, ABORT);
    filter.allow_where(SYS_prctl, 0, ~0u, PR_SET_SECCOMP);  // which only takes away
    filter.close_in();
    char** environment = arguments + *stack + 1;
    call(SYS_execve, u64(arguments[2]), u64(arguments + 2), u64(environment));
    fail("The program cannot be started.\n");
}

asm(".globl _start\n"
    "_start:\n"
    "    xor %ebp, %ebp\n"
    "    mov %rsp, %rdi\n"
    "    and $-16, %rsp\n"
    "    call begin\n"
    "    hlt\n");
