"""Namespaces of Linux around each notebook's process, where this user may make them: of processes, so that it sees none
but its own, and all of them end with it; of the network, without an interface; of messages and memory shared by name.

They come before `sandbox.py`, whose walls also hold without them. Root makes all of them. Others, inside a
namespace of users, make all but that of processes, for which the fork server would need one more process around it.
Where there is a GPU, nobody has one of processes: CUDA does not start in it (seen on an H100 with driver 580.159,
2026-11-26), and the worker that uses it comes from the notebook's process.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from ...cuda.backends import gpu_sharing

_USERS, _PROCESSES = 0x10000000, 0x20000000
_MESSAGES, _NETWORK = 0x08000000, 0x40000000
#: Those that may be made, by root and by others, in words for people.
_KINDS = {
    _PROCESSES | _NETWORK | _MESSAGES: "processes, network and messages",
    _NETWORK | _MESSAGES: "network and messages",
    _USERS | _NETWORK | _MESSAGES: "network and messages",
}
#: In a process of its own: whether a namespace can be made is known only once it is made.
_TRY = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(int(sys.argv[1])) != 0)"

_libc = ctypes.CDLL(None, use_errno=True)


@cache
def flags() -> int:
    """Return the flags for `unshare` on this machine, perhaps with a user namespace; 0 if it allows none."""
    for kinds in _KINDS:
        if kinds & _PROCESSES and gpu_sharing.visible():
            continue
        tried = subprocess.run([sys.executable, "-I", "-S", "-c", _TRY, str(kinds)], stderr=subprocess.DEVNULL)
        if tried.returncode == 0:
            return kinds
    return 0


def summary() -> str:
    """Describe what has separate namespaces on this machine; "" if nothing has."""
    return _KINDS.get(flags(), "")


@contextmanager
def for_children() -> Iterator[None]:
    """The child that is forked inside is the first in a namespace of processes, if one can be made. All there end with
    it.

    Raises:
        OSError: the system refused it.
    """
    if not flags() & _PROCESSES:
        yield
        return
    current = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    try:
        _unshare(_PROCESSES)
        yield
    finally:
        _libc.setns(current, _PROCESSES)
        os.close(current)


def leave_network() -> None:
    """Put this process, which has one thread, for good into a network and an exchange of messages of its own, if they
    can be made. It stays who it is.

    Raises:
        OSError: the system refused it.
    """
    user, group = os.geteuid(), os.getegid()
    if flags():
        _unshare(flags() & ~_PROCESSES)
    if flags() & _USERS:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def _unshare(what: int) -> None:
    if _libc.unshare(what):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
