"""Given code: is a kernel still the one that was given, except for what may be added?"""

from __future__ import annotations

from collections.abc import Sequence

from ....cuda.report import Report
from ... import report
from ...answers.given import first_change
from ...answers.trial import Trial
from ..judge import Judge, KernelCheck, kernel_check


@kernel_check
def keeps_what_is_given(given: str, *, adds: Sequence[str]) -> KernelCheck:
    """Except for comments and for the pieces that it `adds`, the kernel is the one that was `given`, a text whose
    first line stands for that of `%%cuda`. It counts only if every result is right."""

    def judge_all(judge: Judge, title: str, judged: Sequence[Trial]) -> Report | None:
        change = first_change(given, judge.answer.source, adds)
        return report.changed_given_text(title, given, judge.answer.source, *change) if change else None

    return KernelCheck(judge_all=judge_all, needs_right_results=True)
