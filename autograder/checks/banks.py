"""Bank conflicts: do the lanes of a warp wait for each other at the banks of shared memory, or for their turn?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..core.check_findings import BankConflicts
from ..core.run import Counts, LineTraffic

#: How many passes over the banks a launch may make beyond those that it needs. In a loop over tiles, a conflict while a
#: tile is filled costs less than this; one while it is used, or on one side of a transpose, costs more.
SPARE = Fraction(1, 8)


def find_bank_conflicts(counts: Counts, traffic: Sequence[LineTraffic] = ()) -> list[BankConflicts]:
    """One finding if the launch makes more passes over the banks of shared memory than its warps need for what their
    threads access, by more than `SPARE`; it names the worst line if `traffic` has lines of shared memory. An atomic
    counts as a store: it may stand for one, or for a load, but who updates one counter has no better way."""
    passes = counts.shared_load_wavefronts + counts.shared_store_wavefronts + counts.shared_atomic_wavefronts_as_stores
    at_best = (
        counts.shared_load_wavefronts_at_best
        + counts.shared_store_wavefronts_at_best
        + counts.shared_atomic_wavefronts_at_best
    )
    if passes <= at_best * (1 + SPARE):
        return []
    return [
        BankConflicts(
            passes=passes,
            at_best=at_best,
            conflicts=counts.shared_load_conflicts
            + counts.shared_store_conflicts
            + counts.shared_atomic_conflicts_as_stores,
            worst=max(
                (line for line in traffic if line.space == "shared"),
                key=lambda line: line.units - line.units_at_best,
                default=None,
            ),
        )
    ]
