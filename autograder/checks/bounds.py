"""Bounds and alignment: does any access leave its array, or its own alignment?"""

from __future__ import annotations

from ..core.findings import Finding, Kind
from ..core.run import Run


def find_out_of_bounds(run: Run) -> list[Finding]:
    """The accesses of `run` outside any array, and those not aligned to their own width."""
    return [f for f in run.findings if f.kind in (Kind.OUT_OF_BOUNDS, Kind.MISALIGNED_ACCESS)]
