"""Does a launch request resources of which half would be enough?

In some cases, much may rightly be idle: if there is little data, or with arrays of the size that the largest block
needs. So the check judges whether half would be enough in every case, and what is idle in a case without such a reason.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ...cuda.core.findings import Dim3
from ...cuda.report import Report
from .. import report
from ..answers.launches import Launches
from ..answers.trial import Trial

#: A small block has memory to spare if its threads use less than this part of it: one in 4.
_FEW = 4
#: Bytes of shared memory that may be idle in a small block: as many as CUDA itself takes for each block.
_SPARE = 1024
#: Arrays of fixed size may be idle if they take no more bytes than a word for each lane of a warp: an answer need not
#: use what a task declares.
_SMALL = 128
#: The number of cases in which the memory that small blocks use is examined.
_LOOKED_AT = 3
#: The cases with the largest blocks, which use arrays of fixed size most.
_LARGEST = 2
#: The least number of threads at work that shows how much of such arrays the largest block would use.
_ENOUGH = 32


def find_idle(title: str, judged: Sequence[Trial], launches: Launches, *, chosen: bool) -> Report | None:
    """Return the report of resources of which half would be enough in every case that has them; of shared arrays of
    fixed size, in the two cases that use them most. Or of shared memory that a small block does not use, or of blocks
    of the student's launch that write nothing, if these are half of them in some case.

    Args:
        title: of the check.
        judged: the cases.
        launches: they launch a case with less.
        chosen: whether the launch is the student's: then its threads and dynamic shared memory are judged, too.
    """
    if shown := _unused_memory(title, judged, chosen=chosen):
        return shown
    several = [trial for trial in judged if math.prod(trial.launch.grid) > 1]
    idle = [trial for trial in several if 2 * _busy(trial) <= math.prod(trial.launch.grid)]
    if idle and (chosen or idle == several):
        return report.unused(title, idle[0].setting, "idle_blocks_here" if chosen else "idle_blocks")
    if not chosen:
        return None
    for resource, word in (("blocks", "grid"), ("threads", "block")):
        with_several = [trial for trial in judged if math.prod(getattr(trial.launch, word)) > 1]
        if with_several and all(
            any(launches.gets_along_with(trial, **{word: half}) for half in _halves(getattr(trial.launch, word)))
            for trial in with_several
        ):
            return report.unused(title, with_several[0].setting, resource)
    return None


def _unused_memory(title: str, judged: Sequence[Trial], *, chosen: bool) -> Report | None:
    static = [trial for trial in judged if trial.run.static_shared > _SMALL]
    most = sorted(static, key=lambda trial: (_threads(trial), trial.data), reverse=True)[:_LARGEST]
    if (
        most
        and all(2 * _touched(trial)[0] <= trial.run.static_shared for trial in most)
        and all(2 * used <= trial.run.static_shared for trial, used in _in_the_largest_block(static))
    ):
        return report.unused(title, most[0].setting, "shared_memory")
    dynamic = sorted((trial for trial in judged if trial.launch.shared_mem), key=lambda trial: -trial.data)
    if chosen and dynamic and all(2 * _touched(trial)[1] <= trial.launch.shared_mem for trial in dynamic):
        return report.unused(title, dynamic[0].setting, "shared_memory")
    # Only where a block's memory is given by the launch can it be as small as the block.
    for trial in _small_and_busy(judged) if dynamic or chosen else ():
        requested = trial.run.static_shared + trial.launch.shared_mem * chosen
        of_fixed_size, of_launch = _touched(trial)
        used = of_fixed_size + of_launch * chosen
        if _FEW * used < requested and requested - used > _SPARE:
            return report.unused(title, trial.setting, "shared_memory_here")
    return None


def _in_the_largest_block(judged: Sequence[Trial]) -> Iterator[tuple[Trial, float]]:
    """Yield cases with enough threads at work, and how many bytes of fixed size the largest block would touch if all of
    its threads did as these: it may have little data in all cases."""
    largest = max(map(_threads, judged))
    for trial in judged:
        if trial.run.maximum_work and trial.run.maximum_work.together >= _ENOUGH:
            yield trial, _touched(trial)[0] * largest / trial.run.maximum_work.together


def _small_and_busy(judged: Sequence[Trial]) -> Sequence[Trial]:
    """Return cases with blocks less than half as large as others, in which some block's threads all use memory."""
    largest = max(map(_threads, judged))
    small = [trial for trial in judged if 2 * _threads(trial) < largest]
    busy = [trial for trial in small if trial.run.maximum_work and trial.run.maximum_work.together == _threads(trial)]
    return sorted(busy, key=lambda trial: (_threads(trial), trial.data))[:_LOOKED_AT]


def _touched(trial: Trial) -> tuple[int, int]:
    """Return how many bytes of the shared arrays threads use: of those of fixed size, and of the dynamic ones; all,
    where nobody looked."""
    return trial.run.touched_shared or (trial.run.static_shared, trial.launch.shared_mem)


def _threads(trial: Trial) -> int:
    return math.prod(trial.launch.block)


def _busy(trial: Trial) -> int:
    """Return how many blocks write what other blocks can read."""
    return trial.run.maximum_work.blocks if trial.run.maximum_work else 0


def _halves(dims: Dim3) -> Iterator[Dim3]:
    """Yield grids or blocks with half as many parts as `dims` in one direction, rounded up."""
    x, y, z = dims
    for half in (((x + 1) // 2, y, z), (x, (y + 1) // 2, z), (x, y, (z + 1) // 2)):
        if half != dims:
            yield half
