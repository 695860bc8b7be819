"""Bank conflicts: do the lanes of a warp wait for each other at the banks of shared memory, or for their turn?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from ....cuda.core.run import Counts, LineTraffic
from ...answers.trial import Trial
from ...findings import BankConflicts
from ..judge import KernelCheck, kernel_check
from ..limit import if_completed

#: How many passes over the banks a launch may make beyond those that it needs. In a loop over tiles, a conflict while a
#: tile is filled costs less than this; one while it is used, or on one side of a transpose, costs more.
SPARE = Fraction(1, 8)
#: The same if no access has a conflict: lanes that take two branches one after the other wait for no bank.
APART = 1
#: How many further passes each block may make: in a block of a few threads, an eighth is less than one pass.
FEW = 4
#: When only one side is judged, traffic of the other is ignored.
_OTHER = {"load": "store", "store": "load"}


@kernel_check
def has_no_bank_conflicts(*, exactly: bool = False) -> KernelCheck:
    """Accesses of shared memory together make hardly more passes over the banks than the threads need for what they
    access (an eighth and 4 a block more), and some case has an access. If `exactly`, neither loads nor stores make
    a single pass more."""

    def find(trial: Trial) -> Sequence[BankConflicts]:
        blocks = math.prod(trial.launch.grid)
        return find_bank_conflicts(trial.counts, trial.run.traffic, blocks=blocks, exactly=exactly)

    return KernelCheck(find=if_completed(find), needs_shared_memory=True, needs_several_threads=True)


def find_bank_conflicts(
    counts: Counts, traffic: Sequence[LineTraffic] = (), *, blocks: int = 1, exactly: bool = False
) -> list[BankConflicts]:
    """Return one finding if the launch makes more passes over the banks of shared memory than its warps need for what
    their threads access, by more than `SPARE` and, in each of its `blocks`, `FEW`; it names the worst line if `traffic`
    has lines of shared memory. If `exactly`, loads and stores are judged separately, and conflicts add no pass to
    either: what lanes save that load the same words does not pay for conflicts elsewhere. An atomic counts as a store:
    it may replace a store or a load, but threads that update one counter have no better way."""
    c = counts
    loads = (c.shared_load_wavefronts, c.shared_load_wavefronts_at_best, c.shared_load_conflicts)
    stores = (
        c.shared_store_wavefronts + c.shared_atomic_wavefronts_as_stores,
        c.shared_store_wavefronts_at_best + c.shared_atomic_wavefronts_at_best,
        c.shared_store_conflicts + c.shared_atomic_conflicts_as_stores,
    )
    both = tuple(map(sum, zip(loads, stores, strict=True)))
    sides = (("load", loads), ("store", stores)) if exactly else (("", both),)
    for action, (passes, at_best, conflicts) in sides:
        spare = SPARE if conflicts else APART
        if passes > (at_best if exactly and conflicts else at_best * (1 + spare) + FEW * blocks):
            lines = [line for line in traffic if line.space == "shared" and line.action != _OTHER.get(action)]
            worst = max(lines, key=lambda line: line.units - line.units_at_best, default=None)
            return [BankConflicts(passes=passes, at_best=at_best, conflicts=conflicts, worst=worst, action=action)]
    return []
