"""`check("name")` for an exercise whose answer is a whole program."""

from __future__ import annotations

from ..answers.program_answer import ProgramAnswer
from ..answers.program_runs import ProgramRuns
from ..declarations.declaration import Sizes
from ..declarations.program import ProgramExercise
from ..result import OnResult
from . import programs
from .frame import Checks, with_checks
from .program_judge import ProgramCheck, ProgramJudge


@with_checks(ProgramCheck, programs)
class ProgramChecker(Checks[ProgramExercise, ProgramCheck]):
    """The checks of a whole program. Each reports its results; it returns None if the answer passes, and raises
    `CheckFailed` if not.

    Args:
        exercise: the exercise.
        answer: the text of its `%%cuda` cell.
        runs: its runs; new ones are added.
        on_result: takes each result.
    """

    def __init__(
        self, exercise: ProgramExercise, answer: ProgramAnswer, runs: ProgramRuns, on_result: OnResult
    ) -> None:
        super().__init__(exercise, on_result)
        self._judge_of_answer = ProgramJudge(exercise, answer, runs)

    def _judge(self, check: ProgramCheck, title: str, sizes: Sizes, *, hidden: bool) -> str:
        return self._judge_of_answer.judge(check, title, sizes)
