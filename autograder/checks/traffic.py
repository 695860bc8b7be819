"""Excess traffic: does a launch access memory, or wait at barriers, more often than it must?"""

from __future__ import annotations

from ..core.check_findings import ExcessTraffic
from ..core.run import Counts


def find_excess(counts: Counts, counted: str, at_most: int) -> list[ExcessTraffic]:
    """One finding if the field `counted` of `counts` is more than `at_most`. It counts each access in the source,
    or each wait at a barrier, once per thread."""
    measured = getattr(counts, counted)
    if measured <= at_most:
        return []
    return [ExcessTraffic(counted=counted, measured=measured, limit=at_most)]
