"""Work: do the threads of a launch share it, or do some do the work of others?

A thread that does too much may be alone with it, which is judged here; or all do too much alike, which is a matter for
limits of a whole launch (`loads_at_most`). At the edges of the data, threads without data lower the average, so that
the second looks like the first. So a single case in which all do too much alike excuses the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ....cuda.core.findings import Access, Finding
from ....cuda.core.run import Counts, MaximumWork
from ....cuda.report import Report
from ... import report
from ...answers.trial import Trial
from ...findings import IdleThreads, LoadImbalance, UnsharedLoads
from ..idle_resources import find_idle
from ..judge import Judge, KernelCheck, kernel_check
from ..limit import in_case

#: A limit in a case.
Limit = Callable[[Trial], int]
#: All threads do something alike if none does it more often than this multiple of the average.
ALIKE = Fraction(3, 2)
#: How often a thread may use memory, as a multiple of the limit, if all do so alike.
_EVEN_SO = 2
#: Bytes of shared memory that a launch may always request and not need: a word for each lane of a warp.
_SPARE = 128


@kernel_check
def shares_the_work(
    at_most: int | Callable[..., int],
    loads: Callable[..., int] | None = None,
    *,
    loading: Callable[..., int] | None = None,
    storing: Callable[..., int] | None = None,
    threads: Callable[..., int] | None = None,
    shared: Callable[..., int] | None = None,
) -> KernelCheck:
    """No thread of the launch accesses global or shared memory more than `at_most` times, atomics included, or
    twice as often if all do so alike; a function gets the size's words and returns the limit. If the task
    says what each thread loads from global memory, `loads` returns how often, and no thread does so more often;
    if it gives each thread a part of its own, `loading` and `storing` return how many threads at least load from
    global memory, and store there. If it says how many threads a block of the student's launch has, `threads`
    returns that, and `shared` how many bytes of shared memory such a launch needs: it requests less than twice as
    many, or less than 128 more.
    Neither is more shared memory requested than is used nor, if the launch is the student's, more blocks or
    threads. A kernel with wrong results gets no points for it."""

    def of(limit: int | Callable[..., int]) -> Limit:
        return lambda trial: in_case(limit, trial)

    parts = (of(limit) if limit else None for limit in (loads, loading, storing, threads, shared))
    share = Share(of(at_most), *parts)

    def judge_all(judge: Judge, title: str, judged: Sequence[Trial]) -> Report | None:
        return find_unshared(title, judged, judge.answer.source, share) or find_idle(
            title, judged, judge.launches, chosen=bool(judge.exercise.values)
        )

    return KernelCheck(judge_all=judge_all, needs_right_results=True)


@dataclass(frozen=True)
class Share:
    """What each thread may do, and how many must do something; None if the task does not say.

    Args:
        uses: how often a thread may use memory.
        loads: how often a thread may load from global memory.
        loading, storing: how many threads of the launch load from global memory, and store there, at least.
        threads: how many threads a block has, if the launch is the student's.
        shared: how many bytes of dynamic shared memory it needs there.
    """

    uses: Limit
    loads: Limit | None = None
    loading: Limit | None = None
    storing: Limit | None = None
    threads: Limit | None = None
    shared: Limit | None = None


def find_unshared(title: str, judged: Sequence[Trial], source: str, share: Share) -> Report | None:
    """Return the report of the smallest case in which a thread does more than its `share`, or threads have no part of
    it.

    Args:
        title: of the check.
        judged: the cases.
        source: the kernel's text.
    """

    worked = sorted(
        ((trial, trial.run.maximum_work) for trial in judged if trial.run.maximum_work), key=lambda each: each[0].data
    )

    def too_many(trial: Trial, work: MaximumWork, factor: int = 1) -> Sequence[Finding]:
        return find_load_imbalance(work, trial.counts, trial.launch.threads, factor * share.uses(trial))

    factor = 1
    if any(too_many(trial, work) and _alike(trial, work.uses, count_uses(trial.counts)) for trial, work in worked):
        factor = _EVEN_SO
    for trial, work in worked:
        if found := too_many(trial, work, factor):
            return report.failed(title, trial.setting, found, source)
    for trial in judged:
        if share.threads and math.prod(trial.launch.block) != (threads := share.threads(trial)):
            return report.another_block(title, trial.setting, threads)
        if share.shared and trial.launch.shared_mem >= max(2 * (needed := share.shared(trial)), needed + _SPARE):
            return report.unused(title, trial.setting, "shared_memory_asked")
    for trial, work in worked:
        wanted = (part(trial) if part else 0 for part in (share.loading, share.storing))
        if idle := find_idle_threads(work, *wanted):
            return report.failed(title, trial.setting, idle, source)
    if share.loads is None:
        return None
    loaded = [(trial, work, find_unshared_loads(work, share.loads(trial))) for trial, work in worked]
    loaded = [(trial, work, found) for trial, work, found in loaded if found]
    if not loaded or any(_alike(trial, work.global_loads, trial.counts.global_loads) for trial, work, _ in loaded):
        return None
    trial, _, unshared = loaded[0]
    return report.failed(title, trial.setting, unshared, source)


def _alike(trial: Trial, most: int, total: int) -> bool:
    """Return whether no thread does what all do `total` times, and one `most`, much more often than the average."""
    return most * trial.launch.threads <= ALIKE * total


def count_uses(counts: Counts) -> int:
    """Return how often all threads of a launch together access memory, as `MaximumWork` counts."""
    loads_and_stores = counts.global_loads + counts.global_stores + counts.shared_loads + counts.shared_stores
    remote = counts.remote_loads + counts.remote_stores + counts.remote_atomics
    return loads_and_stores + counts.atomics + remote


def find_load_imbalance(work: MaximumWork, counts: Counts, threads: int, at_most: int) -> list[LoadImbalance]:
    """Return one finding if any thread accesses memory more than `at_most` times, as `MaximumWork` counts.

    Its access is the line with the most of these accesses. `threads` is the launch's thread count.
    """
    if work.uses <= at_most:
        return []
    found = LoadImbalance(
        accesses=(Access(work.block, work.thread, work.line, work.text),),
        measured=work.uses,
        at_line=work.at_line,
        limit=at_most,
        total=count_uses(counts),
        threads=threads,
    )
    return [found]


def find_unshared_loads(work: MaximumWork, at_most: int) -> list[UnsharedLoads]:
    """Return one finding if any thread makes more than `at_most` loads from global memory."""
    return [UnsharedLoads(measured=work.global_loads, limit=at_most)] if work.global_loads > at_most else []


def find_idle_threads(work: MaximumWork, loading: int, storing: int) -> list[IdleThreads]:
    """Return one finding if fewer threads than `loading` load from global memory, or fewer than `storing` store
    there."""
    if work.loading < loading:
        return [IdleThreads(action="load", measured=work.loading, wanted=loading)]
    return [IdleThreads(action="store", measured=work.storing, wanted=storing)] if work.storing < storing else []
