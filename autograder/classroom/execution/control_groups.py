"""A control group of Linux around each notebook's processes, where this user may make one: Linux itself then counts
their memory, files in memory included, and how many they are, at each request and not once a second (`usage.py`); and
whatever became of a process, it ends with its group.

Only of the second version of control groups. Root finds one everywhere but in a container; others where systemd
gives them a part of the tree: in a desktop's terminal, or by `systemd-run --user --scope`.
"""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from .usage import Limits

_TREE = Path("/sys/fs/cgroup")
_COUNTED = {"memory", "pids"}
#: Above the limits that `usage` tells by name, so that who grows slowly meets those first; and threads count, too.
_MEMORY_ABOVE, _TASKS_ABOVE = 1.25, 8
#: Between attempts to remove a group, and for all of them.
SWEEP_SECONDS, _PATIENCE = 0.05, 2.0
_numbers = itertools.count()
_ended: list[Path] = []


@cache
def parent() -> Path | None:
    """The nearest group around this process in which this user can make others that count; None if there is none."""
    with suppress(OSError):
        groups = Path("/proc/self/cgroup").read_text()
        # Only where the whole tree is of the second version: elsewhere, the first one has what counts.
        if (current := re.search(r"^0::/(.*)$", groups, re.MULTILINE)) and (_TREE / "cgroup.controllers").exists():
            around = [_TREE / current[1], *(_TREE / current[1]).parents]
            return next(
                (folder for folder in around if folder.is_relative_to(_TREE) and _can_hold_others(folder)), None
            )
    return None


def _can_hold_others(group: Path) -> bool:
    with suppress(OSError):
        if set((group / "cgroup.subtree_control").read_text().split()) >= _COUNTED:
            _remove_what_others_left(group)
            tried = _make_in(group, Limits())
            moved = subprocess.run(
                ["sh", "-c", 'echo 0 > "$0"', str(tried / "cgroup.procs")], stderr=subprocess.DEVNULL
            )
            end(tried)
            finish()
            return not moved.returncode
    return False


def make(limits: Limits) -> Path | None:
    """A new group for a notebook with these limits; None where there can be none.

    Raises:
        OSError: the system refused it.
    """
    return _make_in(around, limits) if (around := parent()) else None


def _make_in(around: Path, limits: Limits) -> Path:
    group = around / f"autograder-{os.getpid()}-{next(_numbers)}"
    group.mkdir()
    (group / "memory.max").write_text(str(int(limits.memory * _MEMORY_ABOVE)))
    (group / "memory.oom.group").write_text("1")  # all of it, not one of its processes
    with suppress(FileNotFoundError):  # a system without swap
        (group / "memory.swap.max").write_text("0")
    (group / "pids.max").write_text(str(limits.processes * _TASKS_ABOVE))
    return group


def enter(group: Path) -> None:
    """Put this process, and those that it will start, into `group`.

    Raises:
        OSError: the system refused it.
    """
    (group / "cgroup.procs").write_text("0")


def end(group: Path) -> None:
    """End all processes of `group`, and let `sweep` remove it as soon as they are gone."""
    with suppress(OSError):  # before Linux 5.14; a signal to the process group ends them there
        (group / "cgroup.kill").write_text("1")
    _ended.append(group)


def sweep() -> bool:
    """Remove the groups that have ended; whether a process is left in one, as it is for a moment after its end."""
    for group in tuple(_ended):
        with suppress(OSError):
            group.rmdir()
            _ended.remove(group)
    return bool(_ended)


def finish() -> None:
    """As `sweep`, until no process is left, or for two seconds."""
    deadline = time.monotonic() + _PATIENCE
    while sweep() and time.monotonic() < deadline:
        time.sleep(SWEEP_SECONDS)


def _remove_what_others_left(around: Path) -> None:
    """Remove the empty groups of servers that were killed."""
    for group in around.glob("autograder-*-*"):
        if not Path("/proc", group.name.split("-")[1]).exists():
            with suppress(OSError):
                group.rmdir()
