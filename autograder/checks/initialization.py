"""Uninitialized reads: does any thread read memory that no thread has written?"""

from __future__ import annotations

from ..core.findings import Finding, Kind
from ..core.run import Run


def find_uninitialized_reads(run: Run) -> list[Finding]:
    """The reads of `run` from shared or local memory that no thread had written before."""
    return [f for f in run.findings if f.kind is Kind.UNINITIALIZED_READ]
