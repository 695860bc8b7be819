"""The sandbox of the process that runs a notebook: which files it sees, and that it reaches no network.

Kernels run in a sandbox of their own (`emulator/platform/linux/sandbox.h`), and no Python of a student is ever run;
this one is for the day when one of these fails. Landlock closes the file system, a seccomp filter the network.
Both are parts of the Linux kernel that a process may use on itself, without root and inside a container, and both are
a few system calls. Bubblewrap needs user namespaces, which most containers forbid, and libraries for seccomp and
Landlock would be wheels or system packages to install on each worker.

What stays open, for reading: the system's and Python's libraries, this package, and compiled kernels. For writing: the
process's own folder. Gradebook, solutions and hand-ins stay out of reach.

Inside the sandbox CUDA does not start (cudaErrorOperatingSystem, on an H200 with driver 580.159, 2026-11-22; which of
its parts stops CUDA is unknown). So a notebook's worker for the GPU is started outside: see
`backends/starter.py`. It takes the text of a kernel and arrays, and it checks the text itself before NVRTC sees it.

What a notebook compiles stays in its own folder, which is removed with it: nobody else would load a false kernel
(`compiler/cache.py`).
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import stat
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from glob import glob
from pathlib import Path

from ...backends import gpu_sharing
from ...compiler.cache import cache_folder

_PACKAGE = Path(__file__).parents[2]
#: Read and executed by every program; nothing of a course lies there.
_SYSTEM = (
    *("/bin", "/lib*", "/usr/bin", "/usr/lib*", "/usr/share", "/etc/ld.so.*", "/etc/localtime", "/nix/store"),
    *("/usr/local/bin", "/usr/local/lib*", "/usr/local/cuda*", "/usr/local/nvidia", "/opt/cuda*", "/proc", "/sys"),
)
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2
_CAPABILITIES_3 = 0x20080522
_OVER_FILES = 0b110  # in a container, root's files are often those of another user
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL = 1 << 14, 1 << 15
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL
#: All rights to files, by the version of Landlock that introduced them.
_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
#: Neither abstract sockets nor signals reach a process outside.
_SCOPES = 0b11

#: By machine: its number in a filter, and the numbers of the system calls socket and connect.
_CALLS = {"x86_64": (0xC000003E, 41, 42), "aarch64": (0xC00000B7, 198, 203)}
_IO_URING_SETUP = 425  # opens sockets too, past the filter
_X32 = 0x40000000  # the same calls by other numbers, on x86-64
_AF_UNIX = 1  # asyncio opens pairs of them for itself

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def missing() -> tuple[str, ...]:
    """The parts of the sandbox that this machine lacks: half sentences on what stays open, and what would close it."""
    found = []
    if _landlock_version() < 1:
        found.append("files: use Linux 5.13 or later with Landlock (a container may forbid it)")
    if not _has_seccomp():
        found.append("the network: use Linux on x86-64 or ARM with seccomp (a container may forbid it)")
    return tuple(found)


def close_in(*own: Path) -> None:
    """Put this process, for good, into as much of the sandbox as there is here; its children are inside, too.

    Args:
        own: its folders, to write what it likes.

    Raises:
        OSError: the system refused a part of the sandbox that it has.
    """
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _drop_capabilities()
    if _landlock_version() >= 1:
        _close_files(own)
    if _has_seccomp():
        _close_network()


@cache
def _landlock_version() -> int:
    if platform.system() != "Linux":
        return -1
    return int(_libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(1)))


@cache
def _has_seccomp() -> bool:
    if platform.system() != "Linux" or platform.machine() not in _CALLS:
        return False
    # Given a filter at no valid address, a system that knows filters complains about the address.
    refused = _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, None, 0, 0)
    return refused == -1 and ctypes.get_errno() == errno.EFAULT


def _drop_capabilities() -> None:
    """Drop root's, such as that of looking into every process, which Landlock does not restrict."""
    header = struct.pack("<Ii", _CAPABILITIES_3, 0)
    held = ctypes.create_string_buffer(24)  # effective, permitted and inheritable; their upper halves behind
    _check(_libc.capget(header, held))
    kept = [bits & keep for bits, keep in zip(struct.unpack("<6I", held.raw), [_OVER_FILES] * 3 + [0] * 3, strict=True)]
    _check(_libc.capset(header, struct.pack("<6I", *kept)))


def _close_files(own: Sequence[Path]) -> None:
    version = _landlock_version()
    every = max(rights for since, rights in _RIGHTS.items() if since <= version)
    # Older versions take a shorter structure: rights to files, then to ports (left to the filter), then scopes.
    asked = struct.pack("<QQQ", every, 0, _SCOPES if version >= 6 else 0)[: 24 if version >= 6 else 8]
    rules = _check(_libc.syscall(_CREATE_RULESET, asked, ctypes.c_size_t(len(asked)), ctypes.c_uint(0)))
    try:
        for path in readable():
            _allow(rules, path, _READ)
        for path in (*own, *writable()):
            _allow(rules, path, every)
        _check(_libc.syscall(_RESTRICT_SELF, rules, ctypes.c_uint(0)))
    finally:
        os.close(rules)


def _allow(rules: int, path: Path, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # not on this machine, or not for this user
        return
    try:
        rights &= -1 if stat.S_ISDIR(os.fstat(place).st_mode) else _OF_A_FILE
        rule = struct.pack("<Qi", rights, place)
        _check(_libc.syscall(_ADD_RULE, rules, 1, rule, ctypes.c_uint(0)))
    finally:
        os.close(place)


def _close_network() -> None:
    arch, socket, connect = _CALLS[platform.machine()]
    load, equal, at_least, end = 0x20, 0x15, 0x35, 0x06
    allow, refuse = 0x7FFF0000, 0x00050000 | errno.EACCES
    steps = [  # (operation, to skip where true, to skip where false, operand)
        (load, 0, 0, 4),  # seccomp_data.arch
        (equal, 0, 7, arch),
        (load, 0, 0, 0),  # seccomp_data.nr
        (at_least, 5, 0, _X32),
        (equal, 4, 0, _IO_URING_SETUP),
        (equal, 3, 0, connect),
        (equal, 0, 3, socket),
        (load, 0, 0, 16),  # seccomp_data.args[0]
        (equal, 1, 0, _AF_UNIX),
        (end, 0, 0, refuse),
        (end, 0, 0, allow),
    ]
    text = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *step) for step in steps))
    program = struct.pack("@HP", len(steps), ctypes.addressof(text))
    _check(_libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, program, 0, 0))


def _check(result: int) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


@cache
def readable() -> tuple[Path, ...]:
    """The files and folders that every notebook's process may read and execute."""
    found = [Path(path) for pattern in _SYSTEM for path in glob(pattern)]
    found += [_PACKAGE, *(cache_folder() / name for name in ("runtime", "modules", "warnings"))]
    found += [Path(path) for path in os.environ.get("LD_LIBRARY_PATH", "").split(":") if path.startswith("/")]
    for root in {Path(sys.prefix), Path(sys.base_prefix)}:
        found += [root / name for name in ("bin", "include", "lib", "lib64", "share", "pyvenv.cfg")]
    for entry in map(Path, sys.path):
        if entry.name in ("site-packages", "dist-packages") or any(entry.glob("*.dist-info")):
            found.append(entry)  # packages were installed there
        elif not any(entry.is_relative_to(path) for path in found):
            # A folder on PYTHONPATH, such as that of an editable installation, may be the course's own: of it,
            # only what can be imported, without the settings, which may hold the gradebook's password.
            found += [path.parent for path in entry.glob("*/__init__.py")]
            found += [path for path in entry.glob("*.py") if path.name != "nbgrader_config.py"]
            found += entry.glob("*.so")
    return tuple(found)


@cache
def writable() -> tuple[Path, ...]:
    """The files and folders that every notebook's process may write, too."""
    found = []
    if gpu_sharing.visible():
        with suppress(OSError):  # taking a lock then says what is wrong
            gpu_sharing.LOCKS.mkdir(mode=0o700, exist_ok=True)
        found.append(gpu_sharing.LOCKS)
    return (*found, *map(Path, _DEVICES))
