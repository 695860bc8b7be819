"""Do all threads of a block, or all lanes of a mask, arrive where they wait for each other?"""

from __future__ import annotations

from ..core.findings import Finding, Kind
from ..core.run import Run


def find_barrier_divergence(run: Run) -> list[Finding]:
    """The barriers of `run` that only some threads reached, and warp functions whose mask does not
    name the lanes that took part."""
    return [f for f in run.findings if f.kind in (Kind.BARRIER_DIVERGENCE, Kind.INVALID_WARP_MASK)]
