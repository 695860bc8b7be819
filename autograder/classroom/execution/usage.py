"""What a notebook's processes use: memory, files, and how many they are. That is looked at from outside, each second;
what grows faster meets the limits of each process (`fork_server_main`)."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

#: Folders in folders in a notebook's own folder. Paths that are too long cannot be looked into.
_DEPTH = 50
_OF_A_BLOCK = 512
_HELD = re.compile(r"^(?:Pss|SwapPss): +(\d+) kB$", re.MULTILINE)


@dataclass(frozen=True)
class Limits:
    """The most that one notebook may use.

    Args:
        memory: bytes of all its processes, and of files that have no name.
        processes: how many at a time.
        files: bytes of the files in its folder.
        names: files and folders there.
    """

    memory: int = 8 << 30
    processes: int = 200
    files: int = 1 << 30
    names: int = 10_000


def exceeded(group: int, folder: Path, limits: Limits) -> str:
    """Which limit the processes of `group`, or what lies in `folder`, exceed, such as "200 processes"; "" if none."""
    members = [process for process in psutil.pids() if _group_of(process) == group]
    if len(members) > limits.processes:
        return f"{limits.processes} processes"
    if sum(map(_memory, members)) + _without_name(members) > limits.memory:
        return f"{limits.memory >> 20} MB of memory"
    size, names = _in_folder(folder, limits.names)
    if names > limits.names:
        return f"{limits.names} files"
    return f"{limits.files >> 20} MB of files" if size > limits.files else ""


def _group_of(process: int) -> int:
    with suppress(ProcessLookupError):
        return os.getpgid(process)
    return -1


def _memory(process: int) -> int:
    """Bytes of its own, and its share of those that it has together with others."""
    with suppress(OSError):  # it has ended
        return 1024 * sum(map(int, _HELD.findall(Path(f"/proc/{process}/smaps_rollup").read_text())))
    return 0


def _without_name(processes: list[int]) -> int:
    """Bytes of the open files that no folder lists: those in memory, and removed ones."""
    found: dict[tuple[int, int], int] = {}
    for process in processes:
        with suppress(OSError):
            for number in os.listdir(f"/proc/{process}/fd"):
                with suppress(OSError):
                    status = os.stat(f"/proc/{process}/fd/{number}")
                    if stat.S_ISREG(status.st_mode) and not status.st_nlink:
                        found[status.st_dev, status.st_ino] = status.st_blocks * _OF_A_BLOCK
    return sum(found.values())


def _in_folder(folder: Path, most: int) -> tuple[int, int]:
    """Bytes and names in `folder`; ends soon after `most` names, and counts what is too deep as that many."""
    size, names, left = 0, 0, [(str(folder), 0)]
    while left and names <= most:
        path, depth = left.pop()
        names += most * (depth > _DEPTH)
        with suppress(OSError), os.scandir(path) as entries:
            for entry in entries:
                names += 1
                if names > most:
                    break
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        left.append((entry.path, depth + 1))
                    else:
                        size += entry.stat(follow_symlinks=False).st_blocks * _OF_A_BLOCK
    return size, names
