"""Excess traffic: does a launch access memory, or wait at barriers, more often than it must?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ....cuda.core.run import Counts, MaximumWork
from ... import report
from ...answers.trial import Trial
from ...findings import ExcessTraffic
from ..judge import KernelCheck, kernel_check
from ..limit import if_completed, in_case

#: A limit in all cases, or a function of the size's words that returns it.
Limit = int | Callable[..., int]

#: An atomic operation loads and stores. So it counts as each, or `atomicAdd(&x, 0)` would load for nothing.
ATOMICS: Mapping[str, Callable[[Counts], int]] = {
    "global_loads": lambda counts: counts.global_atomics,
    "global_stores": lambda counts: counts.global_atomics,
    "shared_loads": lambda counts: counts.atomics - counts.global_atomics,
}


@kernel_check
def loads_at_most(limit: Limit, *, of_bytes: int | None = None) -> KernelCheck:
    """All threads of the launch together execute at most `limit` loads from global memory, atomic operations
    included; a function gets the size's words and returns the limit. If the task limits how many numbers are
    loaded, `of_bytes` is the size of one in bytes, and a load counts as often as it has numbers."""

    def find(trial: Trial) -> Sequence[ExcessTraffic]:
        numbers = -(-trial.counts.global_load_bytes // of_bytes) if of_bytes else 0
        counts = replace(trial.counts, global_loads=max(trial.counts.global_loads, numbers))
        return find_excess(counts, "global_loads", in_case(limit, trial))

    return replace(_at_most("global_loads", limit), find=if_completed(find))


@kernel_check
def stores_at_most(limit: Limit) -> KernelCheck:
    """As `loads_at_most`, for stores to global memory."""
    return _at_most("global_stores", limit)


@kernel_check
def global_atomics_at_most(limit: Limit, *, each: Limit | None = None) -> KernelCheck:
    """As `loads_at_most`, for atomic operations on global memory, and no thread makes more than `each` of them."""

    def find(trial: Trial) -> Sequence[ExcessTraffic]:
        work = trial.run.maximum_work
        together = find_excess(trial.counts, "global_atomics", in_case(limit, trial))
        return together or (find_excess_atomics(work, in_case(each, trial)) if work and each is not None else [])

    return replace(_at_most("global_atomics", limit), find=if_completed(find))


@kernel_check
def shared_loads_at_most(limit: Limit) -> KernelCheck:
    """As `loads_at_most`, for loads from shared memory, and some case has one. A load counts once
    whatever its width, and as written in the source: a compiler may merge two."""
    return replace(_at_most("shared_loads", limit), needs_shared_memory=True)


@kernel_check
def shared_store_requests_at_most(limit: Limit) -> KernelCheck:
    """As `shared_loads_at_most`, for stores to shared memory, each of one warp, whether all of its lanes take part
    or only one: more are made if threads at work are scattered over many warps."""
    check = _at_most("shared_store_requests", limit)
    return replace(check, needs_shared_memory=True, needs_several_threads=True)


@kernel_check
def barriers_at_most(limit: Limit) -> KernelCheck:
    """As `loads_at_most`, for waits at `__syncthreads()`: one for each thread and barrier."""
    return _at_most("barriers", limit)


def _at_most(counted: str, limit: Limit) -> KernelCheck:
    return KernelCheck(
        claim=report.claim_of_limit(counted, limit),
        find=if_completed(lambda trial: find_excess(trial.counts, counted, in_case(limit, trial))),
        orders="counts",
    )


def find_excess(counts: Counts, counted: str, at_most: int) -> list[ExcessTraffic]:
    """Return one finding if the field `counted` of `counts` is more than `at_most`. It counts each access in the
    source, or each wait at a barrier, once per thread; an atomic operation counts as a load and as a store."""
    atomics = ATOMICS[counted](counts) if counted in ATOMICS else 0
    measured = getattr(counts, counted) + atomics
    if measured <= at_most:
        return []
    return [ExcessTraffic(counted=counted, measured=measured, limit=at_most, atomics=atomics)]


def find_excess_atomics(work: MaximumWork, at_most: int) -> list[ExcessTraffic]:
    """Return one finding if any thread makes more than `at_most` atomic operations on global memory."""
    if work.global_atomics <= at_most:
        return []
    return [ExcessTraffic(counted="global_atomics", measured=work.global_atomics, limit=at_most, by_one=True)]
