"""Which of a kernel's barriers, `__syncwarp`s and fences can go?

Each case is launched once more with the calls of a line ignored, as if they were deleted. The line is needed if that
shows anything in any case: a race, another finding, a wrong result. With atomic operations or votes, which leave the
order of the threads open, each case is launched in all orders that `matches_numpy` tries.

Calls of one line are judged together, as are those in each round of a loop and in each instance of a template. Fewer
deleted calls order more accesses, so lines that can go together can also go alone.

A fence that shows nothing is needless only where there are no atomic operations. The emulator carries out accesses one
after the other: it does not see in which order other threads of a GPU may see atomic ones, and no race reports it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .launches import Launches
from .trial import Trial

#: Threads of a block with more than one warp.
_WARPS = 33


@dataclass(frozen=True)
class Needless:
    """Lines whose barriers and fences no case needs.

    `together` can go all at once. Each other line of `instead` could go by itself, but not with those: only in place of
    the line that is its value. Of the fences in `unjudged`, nobody knows.
    """

    together: tuple[int, ...]
    instead: dict[int, int]
    unjudged: tuple[int, ...]


def find_needless(judged: Sequence[Trial], launches: Launches) -> Needless:
    """The lines of a kernel that none of the cases `judged` needs; all of them must be right, and on the emulator."""
    cases = sorted(judged, key=lambda trial: (math.prod(trial.launch.block) < _WARPS, trial.data))
    calls = judged[0].run.sync_calls

    def can_go(lines: Collection[int]) -> bool:
        return all(launches.gets_along_without(trial, lines) for trial in cases)

    alone = [line for line in sorted({call.line for call in calls}) if can_go([line])]
    has_atomics = any(trial.counts.atomics for trial in judged)
    unjudged = {call.line for call in calls if call.is_fence and has_atomics}
    together, instead = list[int](), dict[int, int]()
    for line in (line for line in alone if line not in unjudged):
        if not together or can_go([*together, line]):
            together.append(line)
        else:
            instead[line] = next((other for other in together if not can_go([other, line])), together[0])
    return Needless(tuple(together), instead, tuple(line for line in alone if line in unjudged))
