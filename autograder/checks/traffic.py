"""Excess traffic: does a launch access memory, or wait at barriers, more often than it must?"""

from __future__ import annotations

from ..core.check_findings import ExcessAction, ExcessTraffic
from ..core.run import Counts


def find_excess_loads(counts: Counts, at_most: int) -> list[ExcessTraffic]:
    """One finding if the launch's threads make more than `at_most` loads from global memory,
    counting each access in the source once per thread."""
    return _find("load", counts.global_loads, at_most)


def find_excess_stores(counts: Counts, at_most: int) -> list[ExcessTraffic]:
    """Like `find_excess_loads`, for stores."""
    return _find("store", counts.global_stores, at_most)


def find_excess_atomics(counts: Counts, at_most: int) -> list[ExcessTraffic]:
    """Like `find_excess_loads`, for atomic operations on global memory."""
    return _find("atomic", counts.global_atomics, at_most)


def find_excess_shared_loads(counts: Counts, at_most: int) -> list[ExcessTraffic]:
    """Like `find_excess_loads`, for loads from shared memory."""
    return _find("shared load", counts.shared_loads, at_most)


def find_excess_barriers(counts: Counts, at_most: int) -> list[ExcessTraffic]:
    """Like `find_excess_loads`, for waits of one thread at one `__syncthreads()`."""
    return _find("barrier", counts.barriers, at_most)


def _find(action: ExcessAction, measured: int, at_most: int) -> list[ExcessTraffic]:
    if measured <= at_most:
        return []
    return [ExcessTraffic(action=action, measured=measured, limit=at_most)]
