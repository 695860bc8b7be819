"""Constructs: does a kernel use what its task is about, and avoid what it must not use?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....cuda.errors import GraderFault
from ....cuda.report import Report
from ... import report
from ...answers.trial import Trial
from ..ablation import find_unneeded
from ..constructs import times_used
from ..judge import Judge, KernelCheck, kernel_check
from ..limit import in_case


@kernel_check
def uses(construct: str, at_least: Callable[..., int] | None = None, *, without: Sequence[str] = ()) -> KernelCheck:
    """Some thread uses `construct`, one of `report.WANTED`, in some case, or all threads together use it in each
    case as often as `at_least` returns, a function of the size's words. If what threads get by it can be suppressed,
    results need it (`ablation.py`). No thread uses any of `without`, of `report.UNWANTED`. A kernel with wrong
    results, or that leaves the work to one thread of each block, gets no points for it."""
    if construct not in report.WANTED:
        raise GraderFault(f"uses({construct!r}): the words are {', '.join(report.WANTED)}.")

    def judge_all(judge: Judge, title: str, judged: Sequence[Trial]) -> Report | None:
        if not any(times_used(construct, trial, judge.tools) for trial in judged):
            return report.not_used(title, judged[0].setting, construct)
        for trial in judged if at_least else ():
            times, wanted = times_used(construct, trial, judge.tools), in_case(at_least or 0, trial)
            if times < wanted:
                return report.used_too_little(title, trial.setting, construct, times, wanted)
        return _find_used(judge, title, judged, without) or find_unneeded(title, judged, judge.launches, construct)

    return KernelCheck(
        claim=report.claim_of_use(construct),
        words=(construct,),
        judge_all=judge_all,
        needs_right_results=True,
        needs_several_threads=True,
    )


@kernel_check
def does_without(*constructs: str) -> KernelCheck:
    """No thread uses any of `constructs`, of `report.UNWANTED`, in any case. As for `uses`, results must be
    right."""
    if unknown := [word for word in constructs if word not in report.UNWANTED]:
        raise GraderFault(f"does_without({unknown[0]!r}): the words are {', '.join(report.UNWANTED)}.")
    return KernelCheck(
        claim=report.claim_of_none(constructs),
        words=constructs,
        judge_all=lambda judge, title, judged: _find_used(judge, title, judged, constructs),
        needs_right_results=True,
        needs_several_threads=True,
    )


def _find_used(judge: Judge, title: str, judged: Sequence[Trial], constructs: Sequence[str]) -> Report | None:
    for trial in judged:
        for word in constructs:
            if times := times_used(word, trial, judge.tools):
                return report.used(title, trial.setting, word, times)
    return None
