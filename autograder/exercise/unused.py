"""Does a launch ask for resources of which half would do?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from .. import report
from ..core.findings import Dim3
from ..report import Report
from .launches import Launches
from .tools import Touch
from .trial import Trial


def find_unused(
    title: str, judged: Sequence[Trial], launches: Launches, touch: Touch | None, *, chosen: bool
) -> Report | None:
    """The report of resources of which half would do in every case that has them; of shared arrays of fixed size, in
    the two cases that use them most.

    Args:
        title: of the check.
        judged: the cases.
        launches: they launch a case with less.
        touch: finds how much shared memory a launch uses; None if nobody looks.
        chosen: whether the launch is the student's: then its blocks, threads and dynamic shared memory are judged, too.
    """
    static = [trial for trial in judged if trial.run.static_shared]
    most = sorted(static, key=lambda trial: (math.prod(trial.launch.block), trial.data))[-2:]
    if touch and most:
        touched = [(touch(trial.launch, trial.run, False), trial.run.static_shared) for trial in most]
        if all(used is not None and 2 * used <= declared for used, declared in touched):
            return report.unused(title, most[-1].setting, "shared_memory")
    if not chosen:
        return None
    shared = sorted((trial for trial in judged if trial.launch.shared_mem), key=lambda trial: -trial.data)
    if shared and all(_half_is_enough(trial, launches, touch) for trial in shared):
        return report.unused(title, shared[0].setting, "shared_memory")
    for resource, word in (("blocks", "grid"), ("threads", "block")):
        several = [trial for trial in judged if math.prod(getattr(trial.launch, word)) > 1]
        if several and all(
            any(launches.gets_along_with(trial, **{word: half}) for half in _halves(getattr(trial.launch, word)))
            for trial in several
        ):
            return report.unused(title, several[0].setting, resource)
    return None


def _half_is_enough(trial: Trial, launches: Launches, touch: Touch | None) -> bool:
    """Whether threads touch no more than half of the dynamic shared memory or, where too much goes on to look, get
    along with half of it."""
    asked = trial.launch.shared_mem
    used = touch(trial.launch, trial.run, True) if touch else None
    return launches.gets_along_with(trial, shared_mem=asked // 2) if used is None else 2 * used <= asked


def _halves(dims: Dim3) -> Iterator[Dim3]:
    """Grids or blocks with half as many parts as `dims` in one direction, rounded up."""
    x, y, z = dims
    for half in (((x + 1) // 2, y, z), (x, (y + 1) // 2, z), (x, y, (z + 1) // 2)):
        if half != dims:
            yield half
