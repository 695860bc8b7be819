"""The sandbox of the process that runs a notebook: which files it sees, and what it may ask of the system.

Kernels run in a separate sandbox (`cuda/emulator/platform/linux/sandbox.h`), and no Python of a student is ever run;
this one is for the day when one of these fails. Landlock closes the file system, a list of allowed system calls
(`system_calls.py`) all else. Both are parts of the Linux kernel that a process may use on itself, without root and
inside a container, and both are a few system calls. Bubblewrap needs user namespaces, which most containers forbid,
and libraries for seccomp and Landlock would be wheels or system packages to install on each worker. Where one of the
two is missing, nothing is graded unless somebody says so (`refusal`).

What stays open, for reading: the system's and Python's libraries, this package, and compiled kernels. For writing: the
process's own folder. Gradebook, solutions and submissions stay out of reach, and so does what the system reports about
other processes (/proc).

Inside the sandbox CUDA does not start: it opens the GPU's devices, names its threads in /proc, and asks where memory
lies. So a notebook's worker for the GPU is started outside (`cuda/backends/starter.py`), takes the text of a kernel
and arrays, and checks the text itself before NVRTC sees it. It has a sandbox of its own, `close_in_gpu_worker`, with
just these more. (Seen on an H100 with driver 580.159, 2026-11-26.)

What a notebook compiles stays in its own folder, which is removed with it: nobody else would load a false kernel
(`cuda/compiler/cache.py`).
"""

from __future__ import annotations

import ctypes
import os
import platform
import stat
import struct
import sys
from collections.abc import Sequence
from functools import cache
from glob import glob
from pathlib import Path

from ...cuda.backends import gpu, gpu_sharing
from ...cuda.backends.emulator_reply import TRUSTED
from ...cuda.compiler.cache import cache_folder
from . import control_groups, namespaces, system_calls

_PACKAGE = Path(__file__).parents[2]
#: Read and executed by every program; nothing of a course lies there.
_SYSTEM = (
    *("/bin", "/lib*", "/usr/bin", "/usr/lib*", "/usr/share", "/etc/ld.so.*", "/etc/localtime", "/nix/store"),
    *(
        "/usr/local/bin",
        "/usr/local/lib*",
        "/usr/local/cuda*",
        "/usr/local/nvidia",
        "/opt/cuda*",
    ),
    "/sys/devices/system/cpu",
)
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
#: What CUDA reads besides, all of it about the machine, and the devices that it opens.
_OF_CUDA = (
    *("/proc/driver/nvidia", "/proc/devices", "/proc/cpuinfo", "/proc/meminfo"),
    *("/sys/devices", "/sys/bus/pci", "/sys/module/nvidia*"),
)
_GPUS = ("/dev/nvidia[0-9]*", "/dev/nvidiactl", "/dev/nvidia-uvm")

_PR_SET_NO_NEW_PRIVS = 38
_CAPABILITIES_3 = 0x20080522
_OVER_FILES = 0b110  # in a container, root's files are often those of another user
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_MAKE_FILE, _TRUNCATE, _IOCTL = 1 << 8, 1 << 14, 1 << 15
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL
#: All rights to files, by the version of Landlock that introduced them.
_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_EVERY = _RIGHTS[5]
#: Neither abstract sockets nor signals reach a process outside.
_SCOPES, _SINCE_SCOPES = 0b11, 6

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def missing() -> tuple[str, ...]:
    """The parts of the sandbox that this machine lacks: half sentences on what stays open, and what would close it."""
    found = []
    if _landlock_version() < 1:
        found.append("files: use Linux 5.13 or later with Landlock (a container may forbid it)")
    if not _has_seccomp():
        found.append("system calls: use Linux on x86-64 with seccomp (a container may forbid it)")
    if gpu.reads_host_memory():
        found.append(
            "the memory of the GPU's worker, to kernels: load nvidia_uvm with uvm_disable_hmm=1, or hide the GPU "
            "(CUDA_VISIBLE_DEVICES= in the environment)"
        )
    return tuple(found)


def refusal() -> str:
    """Why no notebook may run on this machine, and what to do; "" if notebooks may."""
    if os.environ.get(TRUSTED) == "1" or not (lacking := missing()):
        return ""
    return (
        f"This machine cannot keep in what runs in a notebook; open are {' and '.join(lacking)}. Grade on another "
        f"machine, or set {TRUSTED}=1 if you trust every kernel that is run here."
    )


def parts() -> tuple[str, ...]:
    """What there is here of what the sandbox can be made of, each in a word."""
    around = f"namespaces {namespaces.summary()}", f"GPU {bool(gpu_sharing.visible())}"
    return f"Landlock {_landlock_version()}", f"seccomp {_has_seccomp()}", *around


def close_in(folder: Path) -> None:
    """Put this process, for good, into as much of the sandbox as there is here; its children are inside, too.

    Args:
        folder: its own, to write what it likes.

    Raises:
        OSError: the system refused a part of the sandbox that it has.
    """
    namespaces.leave_network()
    open_ = [(path, _READ) for path in readable()] + [(path, _EVERY) for path in (folder, *map(Path, _DEVICES))]
    if gpu_sharing.visible():
        open_.append((gpu_sharing.lock_folder(), _READ_FILE | _MAKE_FILE))
    _close(open_, gpu=False)


def close_in_gpu_worker(folder: Path) -> None:
    """As `close_in`, for a process that will use the GPU: as much of the sandbox as CUDA bears.

    Raises:
        OSError: the system refused a part of the sandbox that it has.
    """
    assert len(os.listdir("/proc/self/task")) == 1, "its other threads would stay outside"
    namespaces.leave_network()
    itself = Path("/proc", os.readlink("/proc/self"))  # CUDA reads its map of memory, and names its threads
    os.open(itself, os.O_PATH)  # kept: Landlock would not know it again once nobody has it open
    open_ = [(path, _READ) for path in (*readable(), *_found(_OF_CUDA))]
    open_ += [(folder, _EVERY)]
    open_ += [(path, _READ | _WRITE_FILE | _TRUNCATE | _IOCTL) for path in (itself, *_found((*_DEVICES, *_GPUS)))]
    _close(open_, gpu=True)


def _close(open_: Sequence[tuple[Path, int]], gpu: bool) -> None:
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _drop_capabilities()
    if _landlock_version() >= 1:
        _close_files(open_)
    if _has_seccomp():
        system_calls.allow_only_these(signals=_landlock_version() >= _SINCE_SCOPES, gpu=gpu)


@cache
def _landlock_version() -> int:
    if platform.system() != "Linux":
        return -1
    return int(_libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(1)))


@cache
def _has_seccomp() -> bool:
    return system_calls.can_filter()


def _drop_capabilities() -> None:
    """Drop root's, such as that of looking into every process, which Landlock does not restrict."""
    header = struct.pack("<Ii", _CAPABILITIES_3, 0)
    held = ctypes.create_string_buffer(24)  # effective, permitted and inheritable; their upper halves after them
    _check(_libc.capget(header, held))
    remaining = [
        bits & keep for bits, keep in zip(struct.unpack("<6I", held.raw), [_OVER_FILES] * 3 + [0] * 3, strict=True)
    ]
    _check(_libc.capset(header, struct.pack("<6I", *remaining)))


def _close_files(open_: Sequence[tuple[Path, int]]) -> None:
    """Close all files but these, with what may be done with them and what lies in them."""
    version = _landlock_version()
    every = max(rights for since, rights in _RIGHTS.items() if since <= version)
    # Older versions take a shorter structure: rights to files, then to ports (left to the filter), then scopes.
    attributes = struct.pack("<QQQ", every, 0, _SCOPES if version >= _SINCE_SCOPES else 0)
    attributes = attributes[: 24 if version >= _SINCE_SCOPES else 8]
    rules = _check(_libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint(0)))
    try:
        for path, rights in open_:
            _allow(rules, path, rights & every)
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


def _check(result: int) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def prepare() -> None:
    """Do once, outside, what each sandbox needs.

    Raises:
        GraderFault: the locks of the GPUs are not this user's.
    """
    readable()
    namespaces.flags()
    control_groups.parent()
    if gpu_sharing.visible():
        gpu_sharing.lock_folder()


@cache
def readable() -> tuple[Path, ...]:
    """The files and folders that every notebook's process may read and execute."""
    found = _found(_SYSTEM)
    found += [
        _PACKAGE,
        *(cache_folder() / name for name in ("runtime", "modules", "signatures", "host", "host-library")),
    ]
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


def _found(patterns: Sequence[str]) -> list[Path]:
    return [Path(path) for pattern in patterns for path in glob(pattern)]
