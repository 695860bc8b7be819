"""Races: do two threads access the same element with nothing to order them?"""

from __future__ import annotations

from collections.abc import Sequence

from ....cuda.core.races import find_races
from ... import report
from ...answers.launches import NotLaunchedError
from ...answers.trial import Trial
from ..judge import Judge, KernelCheck, kernel_check


@kernel_check
def has_no_races() -> KernelCheck:
    """No two threads access the same element, at least one of them writing, with nothing to order them. Not judged if
    the order of atomic operations decides the result. In grading, if all results are right, a remark names the
    barriers and fences that no case needs; that costs no points."""
    return KernelCheck(
        find=lambda trial: find_races(trial.run),
        orders="findings",
        needs_several_threads=True,
        needs_one_result=True,
        remark=_remark_on_needless,
    )


def _remark_on_needless(judge: Judge, judged: Sequence[Trial]) -> str:
    if not judge.exercise.hidden.others:  # nobody grades, and whoever changes a kernel need not wait for it
        return ""
    if not judged[0].run.sync_calls:
        return ""
    try:
        found = judge.needless()
    except NotLaunchedError:  # in a case that the check has not reached
        return ""
    return report.needless(found.together, found.instead, found.fences)
