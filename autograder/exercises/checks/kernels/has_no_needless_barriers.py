"""Needless barriers: does some case need each barrier, `__syncwarp()` and fence of a kernel?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ....cuda.report import Report
from ... import report
from ...answers.given import first_change
from ...answers.trial import Trial
from ..judge import Judge, KernelCheck, kernel_check


@kernel_check
def has_no_needless_barriers(*, given: str = "", adds: Sequence[str] = ()) -> KernelCheck:
    """Some case needs each line with a barrier, a `__syncwarp()` or a fence: without it, it has a race, another
    mistake, or a wrong result. Lines that the exercise's `spare` names stay, and so do fences of which this is not
    known (`needless_barriers.py`). Blocked while a launch has a mistake, or a wrong result. A line with two of them
    fails, and so does a kernel that is not the one that was `given`, if any, except for the pieces that it `adds`."""

    def judge_all(judge: Judge, title: str, judged: Sequence[Trial]) -> Report | None:
        source = judge.answer.source
        if given and (change := first_change(given, source, adds)):
            return report.changed_given_text(title, given, source, *change)
        on_lines = Counter[int]()
        for call in judged[0].run.sync_calls:
            on_lines[call.line] += call.calls
        if crowded := [line for line, calls in on_lines.items() if calls > 1]:
            return report.several_on_a_line(title, crowded[0], source)
        found = judge.needless()
        if not found.together:
            return None
        return report.needless_line(title, found.together, found.instead, found.fences, source, judge.exercise.name)

    return KernelCheck(
        judge_all=judge_all,
        needs_no_finding=True,
        needs_right_results=True,
        needs_several_threads=True,
        needs_one_result=True,
    )
