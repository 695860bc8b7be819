"""Does a launch ask for resources of which half would do?

In some cases, much may rightly lie idle: where there is little data, or with arrays of the size that the largest block
needs. So what is judged is a half in every case, or far more in a case that has no such excuse.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from .. import report
from ..core.findings import Dim3
from ..report import Report
from .launches import Launches
from .tools import Touch
from .trial import Trial

#: A single case tells where less than one part in so many is used. A grid rounded up in two directions though nothing
#: is left over has four times the blocks that do something.
_FEW = 4
#: Bytes of shared memory that may lie idle in a small block: as many as CUDA itself takes for each block.
_SPARE = 1024
#: In so many cases, what small blocks use is looked at.
_LOOKED_AT = 3


def find_unused(
    title: str, judged: Sequence[Trial], launches: Launches, touch: Touch | None, *, chosen: bool
) -> Report | None:
    """The report of resources of which half would do in every case that has them; of shared arrays of fixed size, in
    the two cases that use them most. Or of shared memory that a small block does not use, or blocks of a launch of the
    student's that use no memory, where this is most of them in some case.

    Args:
        title: of the check.
        judged: the cases.
        launches: they launch a case with less.
        touch: finds how much shared memory a launch uses; None if nobody looks.
        chosen: whether the launch is the student's: then its threads and dynamic shared memory are judged, too.
    """
    if shown := _unused_memory(title, judged, launches, touch, chosen=chosen):
        return shown
    several = [(trial, math.prod(trial.launch.grid), _busy(trial)) for trial in judged]
    several = [(trial, blocks, busy) for trial, blocks, busy in several if blocks > 1]
    if several and all(2 * busy <= blocks for _, blocks, busy in several):
        return report.unused(title, several[0][0].setting, "idle_blocks_asked" if chosen else "idle_blocks")
    if not chosen:
        return None
    for trial, blocks, busy in several:
        if _FEW * busy < blocks:
            return report.unused(title, trial.setting, "idle_blocks_here")
    for resource, word in (("blocks", "grid"), ("threads", "block")):
        with_several = [trial for trial in judged if math.prod(getattr(trial.launch, word)) > 1]
        if with_several and all(
            any(launches.gets_along_with(trial, **{word: half}) for half in _halves(getattr(trial.launch, word)))
            for trial in with_several
        ):
            return report.unused(title, with_several[0].setting, resource)
    return None


def _unused_memory(
    title: str, judged: Sequence[Trial], launches: Launches, touch: Touch | None, *, chosen: bool
) -> Report | None:
    static = [trial for trial in judged if trial.run.static_shared]
    most = sorted(static, key=lambda trial: (_threads(trial), trial.data), reverse=True)
    looks = ((trial, touch(trial.launch, trial.run)) for trial in most if touch)
    looked_at = islice(((trial, used[0]) for trial, used in looks if used), 2)
    first = next(looked_at, None)
    if first and all(2 * used <= trial.run.static_shared for trial, used in chain([first], looked_at)):
        return report.unused(title, first[0].setting, "shared_memory")
    dynamic = sorted((trial for trial in judged if trial.launch.shared_mem), key=lambda trial: -trial.data)
    if chosen and dynamic and all(_half_is_enough(trial, launches, touch) for trial in dynamic):
        return report.unused(title, dynamic[0].setting, "shared_memory")
    # Only where a block's memory is given by the launch can it be as small as the block.
    for trial in _small_and_busy(judged) if dynamic else ():
        asked = trial.run.static_shared + trial.launch.shared_mem * chosen
        touched = touch(trial.launch, trial.run) if touch and asked > _SPARE else None
        used = asked if touched is None else touched[0] + touched[1] * chosen
        if _FEW * used < asked and asked - used > _SPARE:
            return report.unused(title, trial.setting, "shared_memory_here")
    return None


def _small_and_busy(judged: Sequence[Trial]) -> Sequence[Trial]:
    """Cases with blocks less than half as large as others, in which some block's threads all use memory."""
    largest = max(map(_threads, judged))
    small = [trial for trial in judged if 2 * _threads(trial) < largest]
    busy = [trial for trial in small if trial.run.maximum_work and trial.run.maximum_work.together == _threads(trial)]
    return sorted(busy, key=lambda trial: (_threads(trial), trial.data))[:_LOOKED_AT]


def _half_is_enough(trial: Trial, launches: Launches, touch: Touch | None) -> bool:
    """Whether threads touch no more than half of the dynamic shared memory or, where too much goes on to look, get
    along with half of it."""
    asked = trial.launch.shared_mem
    used = touch(trial.launch, trial.run) if touch else None
    return launches.gets_along_with(trial, shared_mem=asked // 2) if used is None else 2 * used[1] <= asked


def _threads(trial: Trial) -> int:
    return math.prod(trial.launch.block)


def _busy(trial: Trial) -> int:
    """How many blocks use memory."""
    return trial.run.maximum_work.blocks if trial.run.maximum_work else 0


def _halves(dims: Dim3) -> Iterator[Dim3]:
    """Grids or blocks with half as many parts as `dims` in one direction, rounded up."""
    x, y, z = dims
    for half in (((x + 1) // 2, y, z), (x, (y + 1) // 2, z), (x, y, (z + 1) // 2)):
        if half != dims:
            yield half
