"""Load balance: do the threads of a launch share its work, or do some do it for the others?"""

from __future__ import annotations

from fractions import Fraction

from ...cuda.core.findings import Access
from ...cuda.core.run import Counts, MaximumWork
from ..findings import IdleThreads, LoadImbalance, UnsharedLoads

#: Where no thread does something more often than so many times the average, all do it alike.
ALIKE = Fraction(3, 2)


def uses_of(counts: Counts) -> int:
    """How often all threads of a launch together access memory, as `MaximumWork` counts."""
    loads_and_stores = counts.global_loads + counts.global_stores + counts.shared_loads + counts.shared_stores
    remote = counts.remote_loads + counts.remote_stores + counts.remote_atomics
    return loads_and_stores + counts.atomics + remote


def find_load_imbalance(work: MaximumWork, counts: Counts, threads: int, at_most: int) -> list[LoadImbalance]:
    """One finding if any thread accesses memory more than `at_most` times, as `MaximumWork` counts.

    Its access is the line with the most of these accesses. `threads` is the launch's thread count.
    """
    if work.uses <= at_most:
        return []
    access = Access(work.block, work.thread, work.line, work.text)
    found = LoadImbalance(
        accesses=(access,),
        measured=work.uses,
        at_line=work.at_line,
        limit=at_most,
        total=uses_of(counts),
        threads=threads,
    )
    return [found]


def find_unshared_loads(work: MaximumWork, at_most: int) -> list[UnsharedLoads]:
    """One finding if any thread makes more than `at_most` loads from global memory."""
    return [UnsharedLoads(measured=work.global_loads, limit=at_most)] if work.global_loads > at_most else []


def find_idle_threads(work: MaximumWork, loading: int, storing: int) -> list[IdleThreads]:
    """One finding if fewer threads than `loading` load from global memory, or fewer than `storing` store there."""
    if work.loading < loading:
        return [IdleThreads(action="load", measured=work.loading, wanted=loading)]
    return [IdleThreads(action="store", measured=work.storing, wanted=storing)] if work.storing < storing else []
