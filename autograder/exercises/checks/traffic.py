"""Excess traffic: does a launch access memory, or wait at barriers, more often than it must?"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...cuda.core.run import Counts, MaximumWork
from ..findings import ExcessTraffic

#: An atomic operation loads and stores. So it counts as each, or `atomicAdd(&x, 0)` would load for nothing.
ATOMICS: Mapping[str, Callable[[Counts], int]] = {
    "global_loads": lambda counts: counts.global_atomics,
    "global_stores": lambda counts: counts.global_atomics,
    "shared_loads": lambda counts: counts.atomics - counts.global_atomics,
}


def find_excess(counts: Counts, counted: str, at_most: int) -> list[ExcessTraffic]:
    """One finding if the field `counted` of `counts` is more than `at_most`. It counts each access in the source,
    or each wait at a barrier, once per thread; an atomic operation counts as a load and as a store."""
    atomics = ATOMICS[counted](counts) if counted in ATOMICS else 0
    measured = getattr(counts, counted) + atomics
    if measured <= at_most:
        return []
    return [ExcessTraffic(counted=counted, measured=measured, limit=at_most, atomics=atomics)]


def find_excess_atomics(work: MaximumWork, at_most: int) -> list[ExcessTraffic]:
    """One finding if any thread makes more than `at_most` atomic operations on global memory."""
    if work.global_atomics <= at_most:
        return []
    return [ExcessTraffic(counted="global_atomics", measured=work.global_atomics, limit=at_most, by_one=True)]
