"""The checks whose findings the run of a launch itself has: the table of kinds has the check of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....cuda.core.findings import Finding
from ....cuda.report.kinds import kinds
from ...answers.trial import Trial
from ..judge import KernelCheck, kernel_check


@kernel_check
def stays_in_bounds() -> KernelCheck:
    """No thread accesses memory outside its arrays, or misaligned, in small sizes, too."""
    return KernelCheck(find=_find("stays_in_bounds"), orders="findings", in_small_sizes=True)


@kernel_check
def reaches_every_barrier() -> KernelCheck:
    """All threads that a barrier waits for reach it."""
    return KernelCheck(find=_find("reaches_every_barrier"), orders="findings", needs_several_threads=True)


@kernel_check
def reads_only_what_was_written() -> KernelCheck:
    """No thread reads shared or local memory that nobody wrote."""
    return KernelCheck(find=_find("reads_only_what_was_written"), orders="findings")


def _find(check: str) -> Callable[[Trial], Sequence[Finding]]:
    return lambda trial: [finding for finding in trial.run.findings if kinds()[finding.kind].check == check]
