"""Do the results of a launch need the construct that it uses, or is that there for show?

They need it if they are wrong without what threads get by it. A kernel for show may still multiply its results by a 1
that it gets so, and then they are wrong, too. So it is launched once more with other values instead, of those that
threads get in this way: where all are alike, nothing changes. A sum of values that change places stays what it is, so
the values come from other distances, too, until the results change. Of matrix products, each thread's every second one
is withheld alone, too: a product for show may stand beside one that carries the work.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import report
from ..core.protocol import Withheld
from ..report import Report
from .launches import Launches
from .trial import Trial, count_dependent

#: With fewer elements to change, a case by itself says little of what its results depend on.
_ENOUGH = 32
#: From how many reads ago the other values are.
_DISTANCES = (1, 2, 3, 5)
#: Of what each half is withheld alone, and by which words.
_HALVES = {"matrix_products": ("even_matrix_products", "odd_matrix_products")}


def find_unneeded(title: str, judged: Sequence[Trial], launches: Launches, construct: str) -> Report | None:
    """The report of a construct that less than half of the results need, in all cases together or in a large one; None
    if it can't be withheld (`core.protocol.Withheld`).

    Args:
        title: of the check.
        judged: the cases.
        launches: they launch a case without the construct.
        construct: one of `report.WANTED`.
    """
    if construct not in Withheld.__members__:
        return None

    def count(withheld: str, *, mixed_up: int = 0) -> Sequence[tuple[int, int]]:
        return [count_dependent(trial, launches.without(trial, withheld, mixed_up=mixed_up)) for trial in judged]

    counted = count(construct)
    for trial, (dependent, changed) in zip(judged, counted, strict=True):
        if changed >= _ENOUGH and dependent < changed / 2:
            return report.not_needed(title, trial.setting, construct, dependent, changed, in_all=False)
    dependent, changed = map(sum, zip(*counted, strict=True))
    if dependent < changed / 2:
        return report.not_needed(title, judged[0].setting, construct, dependent, changed)
    if construct == "compare_and_swap":  # it is undone, and gives nothing that could be another value
        return None
    for distance in _DISTANCES:
        dependent, changed = map(sum, zip(*count(construct, mixed_up=distance), strict=True))
        if dependent >= changed / 4:  # fewer, since two values may lead to one result
            break
    else:
        return report.not_needed(title, judged[0].setting, construct, dependent, changed, mixed_up=True)
    for half in _HALVES.get(construct, ()):
        dependent, changed = map(sum, zip(*count(half), strict=True))
        if dependent < changed / 4:  # fewer, since a small case may need no more than one
            return report.not_needed(title, judged[0].setting, construct, dependent, changed, half=True)
    return None
