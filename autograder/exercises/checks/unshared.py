"""Do some threads of a launch do the work of others?

One who does too much may be alone with it, and that is what is judged here; or all do too much alike, which is a
matter for limits of a whole launch (`loads_at_most`). At the edges of the data, threads without data lower the average,
so that the second looks like the first. So a single case in which all do too much alike excuses the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...cuda.core.findings import Finding
from ...cuda.core.run import MaximumWork
from ...cuda.report import Report
from .. import report
from ..answers.trial import Trial
from .load_balance import ALIKE, find_idle_threads, find_load_imbalance, find_unshared_loads, uses_of

#: A limit in a case.
Limit = Callable[[Trial], int]
#: How often a thread may use memory, as a multiple of the limit, where all do so alike.
_EVEN_SO = 2
#: Bytes of shared memory that a launch may always ask for and not need: a word for each lane of a warp.
_SPARE = 128


@dataclass(frozen=True)
class Share:
    """What each thread may do, and how many must do something; None where the task does not say.

    Args:
        uses: how often a thread may use memory.
        loads: how often a thread may load from global memory.
        loading, storing: how many threads of the launch load from global memory, and store there, at least.
        threads: how many threads a block has, where the launch is the student's.
        shared: how many bytes of dynamic shared memory it needs there.
    """

    uses: Limit
    loads: Limit | None = None
    loading: Limit | None = None
    storing: Limit | None = None
    threads: Limit | None = None
    shared: Limit | None = None


def find_unshared(title: str, judged: Sequence[Trial], source: str, share: Share) -> Report | None:
    """The report of the smallest case in which a thread does more than its `share`, or threads have no part of it.

    Args:
        title: of the check.
        judged: the cases.
        source: the kernel's text.
    """

    worked = sorted(
        ((trial, trial.run.maximum_work) for trial in judged if trial.run.maximum_work), key=lambda one: one[0].data
    )

    def too_many(trial: Trial, work: MaximumWork, factor: int = 1) -> Sequence[Finding]:
        return find_load_imbalance(work, trial.counts, trial.launch.threads, factor * share.uses(trial))

    factor = 1
    if any(too_many(*one) and _alike(one[0], one[1].uses, uses_of(one[0].counts)) for one in worked):
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
    """Whether no thread does what all do `total` times, and one `most`, much more often than the average."""
    return most * trial.launch.threads <= ALIKE * total
