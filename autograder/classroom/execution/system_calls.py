"""Which system calls a notebook's process may make: those that computing, compiling and files need, and no other.

A list of what is allowed fails closed: what a new Linux adds is refused until somebody needs it. What it leaves out, on
purpose: sockets and every other way to another process; namespaces and keys; System V's shared memory, queues and
semaphores, which would last until the next student's notebook; the owner, mode and date of files, which Landlock does
not watch; and to leave the process group, by which all processes of a notebook are ended.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct

_MACHINE, _ARCHITECTURE = "x86_64", 0xC000003E
#: Linux's numbers, on x86-64.
_ALLOWED = {
    **dict(read=0, write=1, open=2, close=3, stat=4, fstat=5, lstat=6, poll=7, lseek=8, mmap=9, mprotect=10, munmap=11),
    **dict(brk=12, rt_sigaction=13, rt_sigprocmask=14, rt_sigreturn=15, pread64=17, pwrite64=18, readv=19, writev=20),
    **dict(access=21, pipe=22, select=23, sched_yield=24, mremap=25, msync=26, mincore=27, madvise=28, dup=32, dup2=33),
    **dict(nanosleep=35, getitimer=36, alarm=37, setitimer=38, getpid=39, sendfile=40, recvfrom=45, sendmsg=46),
    **dict(recvmsg=47, fork=57, vfork=58, execve=59, exit=60, wait4=61, uname=63, flock=73, fsync=74, fdatasync=75),
    **dict(ftruncate=77, getcwd=79, chdir=80, fchdir=81, rename=82, mkdir=83, rmdir=84, unlink=87, readlink=89),
    **dict(umask=95, gettimeofday=96, getrlimit=97, getrusage=98, sysinfo=99, times=100, getuid=102, getgid=104),
    **dict(geteuid=107, getegid=108, getppid=110, getpgrp=111, sigaltstack=131, prctl=157, arch_prctl=158),
    **dict(setrlimit=160, gettid=186, time=201, futex=202, getdents64=217, set_tid_address=218),
    **dict(restart_syscall=219, fadvise64=221),
    **dict(exit_group=231, epoll_wait=232, epoll_ctl=233, waitid=247, openat=257, mkdirat=258, newfstatat=262),
    **dict(unlinkat=263, renameat=264, readlinkat=267, faccessat=269, pselect6=270, ppoll=271, set_robust_list=273),
    **dict(epoll_pwait=281, timerfd_create=283, fallocate=285, timerfd_settime=286, timerfd_gettime=287, eventfd2=290),
    **dict(epoll_create1=291, dup3=292, pipe2=293, preadv=295, pwritev=296, getcpu=309, renameat2=316, getrandom=318),
    **dict(memfd_create=319, membarrier=324, copy_file_range=326, statx=332, rseq=334, close_range=436, faccessat2=439),
}
#: What CUDA needs besides: it asks where memory lies, and listens at a socket by which processes could share memory.
_OF_CUDA = dict(bind=49, listen=50, mbind=237, get_mempolicy=239)
_SOCKET, _OF_THIS_MACHINE = 41, 1
#: Only where Landlock keeps them to the notebook's own processes.
_SIGNALS = dict(kill=62, tkill=200, tgkill=234)
#: A new process, or a thread, but in no new namespace and as nobody else's child.
_CLONE, _CLONE_FORBIDDEN = 56, 0x7E028000
#: `clone3` keeps its flags in memory, where no filter sees them: libraries that learn it is unknown take `clone`.
_UNKNOWN = (435, 451)  # and all that are newer
_X32 = 0x40000000  # the same calls by other numbers
#: Limits and cores of this process and of no other one.
_OF_ITSELF = dict(sched_getaffinity=204, prlimit64=302)
#: Clocks, but those of other processes, whose numbers are negative.
_CLOCKS, _NO_CLOCK = dict(clock_gettime=228, clock_getres=229, clock_nanosleep=230), 16
#: Signals about files, which may be sent to any process, and leases; also a terminal's input, which could be forged.
_FCNTL, _FCNTL_FORBIDDEN = 72, (8, 10, 15, 1024, 1026)
_IOCTL, _IOCTL_FORBIDDEN = 16, (0x5412, 0x5452, 0x8901, 0x8902)

_LOAD, _AND, _EQUAL, _AT_LEAST, _END = 0x20, 0x54, 0x15, 0x35, 0x06
_ALLOW, _REFUSE, _NOT_KNOWN = 0x7FFF0000, 0x00050000 | errno.EACCES, 0x00050000 | errno.ENOSYS
_ARCHITECTURE_AT, _NUMBER_AT, _FIRST_AT, _SECOND_AT = 4, 0, 16, 24
_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2

#: (operation, steps to skip where true, where false, operand)
_Step = tuple[int, int, int, int]


def can_filter() -> bool:
    """Whether this machine's Linux takes a filter of system calls."""
    if platform.system() != "Linux" or platform.machine() != _MACHINE:
        return False
    # Given a filter at no valid address, a system that knows filters complains about the address.
    libc = ctypes.CDLL(None, use_errno=True)
    refused: int = libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, None, 0, 0)
    return refused == -1 and ctypes.get_errno() == errno.EFAULT


def allow_only_these(signals: bool, gpu: bool) -> None:
    """Refuse this process and its children, for good, every other system call.

    Args:
        signals: whether it may send them; Landlock then must keep them in.
        gpu: whether it needs those of CUDA, too.

    Raises:
        OSError: the system refused the filter.
    """
    program = b"".join(struct.pack("<HBBI", *step) for step in _program(signals, gpu))
    text = ctypes.create_string_buffer(program)
    given = struct.pack("@HP", len(program) // 8, ctypes.addressof(text))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, given, 0, 0):
        raise OSError(ctypes.get_errno(), "the filter of system calls was refused")


def _program(signals: bool, gpu: bool) -> list[_Step]:
    steps = [(_LOAD, 0, 0, _ARCHITECTURE_AT), *_ends(_EQUAL, _ARCHITECTURE, _REFUSE, unless=True)]
    steps += [(_LOAD, 0, 0, _NUMBER_AT), *_ends(_AT_LEAST, _X32, _REFUSE), *_ends(_EQUAL, _UNKNOWN[0], _NOT_KNOWN)]
    steps += _ends(_AT_LEAST, _UNKNOWN[1], _NOT_KNOWN)
    allowed = {**_ALLOWED, **(_SIGNALS if signals else {}), **(_OF_CUDA if gpu else {})}
    for number in allowed.values():
        steps += _ends(_EQUAL, number, _ALLOW)
    forbidden_flags = [(_LOAD, 0, 0, _FIRST_AT), (_AND, 0, 0, _CLONE_FORBIDDEN), *_ends(_EQUAL, 0, _ALLOW)]
    steps += _where(_CLONE, [*forbidden_flags, (_END, 0, 0, _REFUSE)])
    if gpu:
        steps += _where(
            _SOCKET, [(_LOAD, 0, 0, _FIRST_AT), *_ends(_EQUAL, _OF_THIS_MACHINE, _ALLOW), (_END, 0, 0, _REFUSE)]
        )
    for number in _OF_ITSELF.values():
        steps += _where(number, [(_LOAD, 0, 0, _FIRST_AT), *_ends(_EQUAL, 0, _ALLOW), (_END, 0, 0, _REFUSE)])
    for number in _CLOCKS.values():
        steps += _where(number, [(_LOAD, 0, 0, _FIRST_AT), *_ends(_AT_LEAST, _NO_CLOCK, _REFUSE), (_END, 0, 0, _ALLOW)])
    for number, forbidden in ((_FCNTL, _FCNTL_FORBIDDEN), (_IOCTL, _IOCTL_FORBIDDEN)):
        body = [(_LOAD, 0, 0, _SECOND_AT), *(step for call in forbidden for step in _ends(_EQUAL, call, _REFUSE))]
        steps += _where(number, [*body, (_END, 0, 0, _ALLOW)])
    return [*steps, (_END, 0, 0, _REFUSE)]


def _ends(test: int, operand: int, result: int, unless: bool = False) -> list[_Step]:
    """End with `result` if the test holds (`unless`: if it does not)."""
    return [(test, int(unless), int(not unless), operand), (_END, 0, 0, result)]


def _where(number: int, body: list[_Step]) -> list[_Step]:
    """`body`, which ends, for the system call of this number."""
    return [(_EQUAL, 0, len(body), number), *body]
