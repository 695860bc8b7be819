"""Barrier divergence: do all threads of a block, or all lanes of a mask, reach the point where they must meet?"""

from __future__ import annotations

from ..core.findings import Finding, Kind
from ..core.run import Run


def find_barrier_divergence(run: Run) -> list[Finding]:
    """The barriers of `run` that only some threads reached, and the warp functions whose mask doesn't
    name the lanes that took part."""
    return [f for f in run.findings if f.kind in (Kind.BARRIER_DIVERGENCE, Kind.INVALID_WARP_MASK)]
