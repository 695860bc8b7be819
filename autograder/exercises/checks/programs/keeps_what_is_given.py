"""Given code: is a program still the one that was given, except for what may be added?"""

from __future__ import annotations

from collections.abc import Sequence

from ....cuda.core.setting import Size
from ... import report
from ...answers.given import first_change
from ..frame import fail
from ..program_judge import ProgramCheck, ProgramJudge, Worth, program_check


@program_check
def keeps_what_is_given(given: str, *, adds: Sequence[str]) -> ProgramCheck:
    """Except for comments and for the pieces that it `adds`, the program is the one that was `given`, a text whose
    first line stands for that of `%%cuda`. It counts only if every result is right."""

    def judge_alone(judge: ProgramJudge, title: str, sizes: Sequence[Size]) -> str:
        if change := first_change(given, judge.answer.source, adds):
            fail(report.changed_given_text(title, given, judge.answer.source, *change))
        judge.require_worth(title, Worth.ALL, sizes)
        return report.unchanged_given_text(title)

    return ProgramCheck(judge_alone=judge_alone, visible_only=True)
