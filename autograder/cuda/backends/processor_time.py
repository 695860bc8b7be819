"""How much processor time launches may still take."""

from __future__ import annotations

import math
import sys
import time

if sys.platform != "win32":
    import resource

#: Processor time that a launch gets even if nothing is left.
_LEAST_SECONDS = 0.5
#: Processor time between the end of a launch and a limit of the shell (`ulimit -t`), for what is left to do then.
_GRACE_SECONDS = 1


_until: float | None = None
_waited = 0.0


def limit_launches(seconds: float) -> None:
    """From now on, the launches of this process may together take so much processor time, compilers and our own work
    on their texts included, and what this process waits for programs."""
    global _until
    _until = taken() + _waited + seconds


def count_waiting(seconds: float) -> None:
    """This process has waited so long for a program, which may have slept: that counts as running."""
    global _waited
    _waited += seconds


def seconds_left() -> float:
    """Processor time that the next launch may take; infinity if nobody has set a limit. One of the shell's holds for
    each process: it would kill the runner, which would look like the kernel's crash."""
    given = _given()
    return max(_LEAST_SECONDS, given if _until is None else min(given, _until - taken() - _waited))


def is_limited() -> bool:
    """Whether somebody has set a limit."""
    return _until is not None


def is_used_up() -> bool:
    """Whether no processor time is left."""
    return _until is not None and taken() + _waited >= _until


def taken() -> float:
    """Processor time of this process, and of those that it has started and that have ended (but on Windows)."""
    if sys.platform == "win32":
        return time.process_time()
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def _given() -> float:
    if sys.platform == "win32":  # which has no such limit
        return math.inf
    seconds, _ = resource.getrlimit(resource.RLIMIT_CPU)
    return math.inf if seconds == resource.RLIM_INFINITY else seconds - _GRACE_SECONDS
