"""`check("name")` for an exercise whose answer is a kernel."""

from __future__ import annotations

from dataclasses import replace

from ..answers.answer import KernelAnswer, ValuesAnswer
from ..answers.launches import Launches
from ..answers.tools import Tools
from ..declarations.declaration import Exercise, Sizes
from . import kernels
from .frame import Checks, with_checks
from .history import History
from .judge import Judge, KernelCheck


@with_checks(KernelCheck, kernels)
class Checker(Checks[Exercise, KernelCheck]):
    """The checks of one exercise. Each reports its results; it returns None if the answer passes, and raises
    `CheckFailed` if not.

    Args:
        exercise: the exercise.
        answer: the text of its `%%cuda` cell.
        tools: what the machine offers.
        values: the text of its `%%values` cell; None if it has no such cell.
        history: what the answer's checks have seen before; new launches are added.
    """

    def __init__(
        self,
        exercise: Exercise,
        answer: KernelAnswer,
        tools: Tools,
        values: ValuesAnswer | None = None,
        history: History | None = None,
    ) -> None:
        super().__init__(exercise, tools.on_result)
        self._answer, self._values, self._tools = answer, values, tools
        self._history = history or History()
        self._launches = Launches(exercise, answer, values, tools, self._history.trials, self._history.reordered)

    def _judge(self, check: KernelCheck, title: str, sizes: Sizes, *, hidden: bool) -> str:
        tools, history = self._tools, self._history
        if hidden:  # students see nothing of these: no report points there, and what they print is not shown
            tools = replace(tools, show_printed=None, sweep=None, shrink=False)
            history = History(needless=history.needless)
            check = replace(check, remark=None)
        cases = sizes.for_check(check.method)
        judge = Judge(self._exercise, self._answer, self._values, self._launches, tools, cases, history)
        return judge.judge(check, title)
