"""Do the results of a launch need the construct that it uses, or is that there for show?

They need it if they are wrong without the values that threads get from it. A kernel for show may still add a known
value that it gets so, and subtract it again, or refuse to work without the construct: then they are wrong, too. So it
is launched once more with other data, while threads get the same values from the construct as before: results that
depend on the data, but come from the construct, then don't change. (An element that a thread has loaded itself may
rightly reach its result in another way.)

What constant memory holds does not come from the data. Therefore launches in which all of it is zero must give the same
for the other data, and a launch in which threads get other values from it must give other results. So must a launch in
which threads get other values for the first factors of matrix products: the second come in another way. Every second
matrix product of each thread is also suppressed alone: a product for show may be beside one that does the work.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...cuda.core.enumerations import Ablation
from ...cuda.report import Report
from .. import report
from ..answers.launches import Launches
from ..answers.trial import Trial, count_carried, count_dependent

#: With fewer elements to change, a case by itself says little of what its results depend on.
_ENOUGH = 32
#: Cases in which one element of each array changes: the smallest, since all show as much.
_CHANGED = 8
#: A construct whose values come from the source and not from the data; and one that gives one of two factors.
_OF_THE_TEXT, _OF_TWO = "constant_memory", "matrix_products"
#: Constructs whose even and odd uses are also suppressed separately, and the names of the halves.
_HALVES = {"matrix_products": ("even_matrix_products", "odd_matrix_products")}


def find_unneeded(title: str, judged: Sequence[Trial], launches: Launches, construct: str) -> Report | None:
    """Return the report of a construct that less than half of the results need, in all cases together or in a large
    one; None if it can't be suppressed (`core.enumerations.Ablation`).

    Args:
        title: of the check.
        judged: the cases.
        launches: they launch a case without the construct.
        construct: one of `report.WANTED`.
    """
    if construct not in Ablation.__members__:
        return None

    without = [launches.without(trial, construct) for trial in judged]
    counted = list(map(count_dependent, judged, without))
    for trial, (dependent, changed) in zip(judged, counted, strict=True):
        if changed >= _ENOUGH and dependent < changed / 2:
            return report.not_needed(title, trial.setting, construct, dependent, changed, in_all=False)

    def refuse(counted: Sequence[tuple[int, int]], part: float, shown: report.Shown) -> Report | None:
        dependent, changed = map(sum, zip(*counted, strict=True))
        if dependent >= changed * part:
            return None
        return report.not_needed(title, judged[0].setting, construct, dependent, changed, shown)

    found = refuse(counted, 1 / 2, "nothing")
    if found or construct == "compare_and_swap":  # it is undone, and gives nothing that could be replayed
        return found
    # From here on, less is enough: two values may lead to one result, and a small case may need no more than one.
    if construct in (_OF_THE_TEXT, _OF_TWO):
        mixed = [count_dependent(trial, launches.without(trial, construct, mixed_up=True)) for trial in judged]
        if found := refuse(mixed, 1 / 4, "others"):
            return found
    replays = construct != _OF_THE_TEXT
    pairs = list(zip(judged, without, strict=True)) if construct != _OF_TWO else []
    enough = [(trial, same) for trial, same in pairs if trial.data >= _ENOUGH] or pairs
    carried = [
        count_carried(trial, launches.changed(trial, construct, replays=replays), trial.run if replays else same)
        for trial, same in sorted(enough, key=lambda each: each[0].data)[:_CHANGED]
    ]
    if carried and (found := refuse(carried, 1 / 4, "the same")):
        return found
    for half in _HALVES.get(construct, ()):
        if found := refuse([count_dependent(trial, launches.without(trial, half)) for trial in judged], 1 / 4, "half"):
            return found
    return None
