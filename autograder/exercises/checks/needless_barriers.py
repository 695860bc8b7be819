"""Which of a kernel's barriers, `__syncwarp`s and fences can go?

Each case is launched once more with the calls of a line ignored, as if they were deleted. The line is needed if that
shows anything in any case: a race, another finding, a wrong result. With atomic operations or votes, which leave the
order of the threads open, each case is launched in all orders that `matches_numpy` tries.

Calls of one line are judged together, as are those in each round of a loop and in each instance of a template. Fewer
deleted calls order more accesses, so lines that can go together can also go alone.

A fence that shows nothing is needless only where there are no atomic operations. The emulator carries out accesses one
after the other: it does not see in which order other threads of a GPU may see atomic ones, and no race reports it.

A barrier may be needed only in sizes that a notebook does not show. So what no case needs must also go in further ones,
which are drawn from the domain as the hidden cases are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from ..answers.launches import Launches
from ..answers.trial import find_wrong_result
from ..declarations.declaration import Exercise
from ..declarations.sizes import draw_others, with_data

#: Draws the further sizes; hidden ones have another seed.
_SEED = 1
#: Of more lines, only the first ones are tried: no kernel needs as many, and each costs launches.
_MOST_LINES = 30


@dataclass(frozen=True)
class Needless:
    """Lines whose barriers and fences no case needs.

    `together` can go all at once. Each line that `instead` names could go alone, but not with those: only in place of
    the line that is its value. Of `together`, `fences` have no barrier. Whether the fences in `unjudged` are needed is
    not known.
    """

    together: tuple[int, ...] = ()
    instead: Mapping[int, int] = field(default_factory=dict)
    fences: frozenset[int] = frozenset()
    unjudged: tuple[int, ...] = ()


def find_needless(exercise: Exercise, launches: Launches, spare: Collection[int] = ()) -> Needless:
    """Return the lines of an answer that none of the exercise's cases needs; none if a case has a finding, or a wrong
    result. The lines in `spare` stay anyway.

    Raises:
        NotLaunchedError: the answer gives a launch that cannot start.
    """
    shown = exercise.visible.others
    sizes = (*shown, *exercise.hidden.others)
    judged = [launches.trial(size, on_gpu=False) for size in sizes]
    calls = [call for call in judged[0].run.sync_calls if call.line not in spare]
    if not calls or any(t.run.findings or not t.run.completed or find_wrong_result(t) for t in judged):
        return Needless()
    domain = exercise.domain and with_data(exercise.domain)
    further = draw_others(exercise.name, domain, shown, _SEED) if domain else ()

    def can_go(lines: Collection[int]) -> bool:
        return all(launches.gets_along_without(trial, lines) for trial in judged) and all(
            launches.gets_along_without(launches.trial(size, on_gpu=False), lines) for size in further
        )

    has_atomics = any(trial.counts.atomics for trial in judged)
    unjudged = {call.line for call in calls if call.is_fence and has_atomics}
    together, instead = list[int](), dict[int, int]()
    for line in sorted({call.line for call in calls} - unjudged)[:_MOST_LINES]:
        if can_go([*together, line]):
            together.append(line)
        elif together and can_go([line]):
            instead[line] = next((other for other in together if not can_go([other, line])), together[0])
    fences = frozenset(together) - {call.line for call in calls if not call.is_fence}
    return Needless(tuple(together), instead, fences, tuple(line for line in sorted(unjudged) if can_go([line])))
