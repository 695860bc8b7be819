"""Exercises without a kernel of the student's: predict what a given kernel does, and what limits it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...cuda.core.findings import Finding
from ...cuda.core.setting import Setting, Size
from ...cuda.errors import GraderFault, UsageError
from ...cuda.kernel import Kernel
from ...cuda.performance.roofline import LIMITS, Machine, Workload, count_work
from .. import report
from ..answers.answer import ValuesAnswer
from ..answers.tools import Backend
from ..declarations.declaration import NONE_HIDDEN, Sizes, checked_sizes
from ..declarations.domain import checked_domain
from ..declarations.sizes import complete, draw_others
from ..findings import MeasuredLaunch
from ..result import CheckFailed, Checks, Tell, print_passed
from .wrong_prediction import find_wrong_limit, find_wrong_number

_TIMED = ("operations", "bytes", "intensity", "limit")
_UNTIMED = ("waits",)


@dataclass(frozen=True, eq=False)
class Prediction:
    """One kernel about which a `%%values` cell predicts `operations`, `bytes`, `intensity` and `limit`; or, if no
    machine is given, `waits`: how often its threads wait at barriers.

    Args:
        name: the word on the `%%values` line, and the kernel's name in `source`.
        source: CUDA C++ text; its numbers are single floats.
        launch: `launch(**size)` returns a dict with `grid`, `block`, `args` and, if needed, `shared_mem`.
        sizes: sizes to begin the visible tests with; more are drawn, until all kinds that `domain` has are there.
        machine: the ceilings that decide the limit.
        measured: a larger size, and the milliseconds that a launch of it took on `machine`.
        grows: a number for each size, to which the work is proportional.
        domain: what the words of a size may be; if left out, `sizes` are all.
    """

    name: str
    source: str
    launch: Callable[..., Mapping[str, Any]]
    sizes: Sequence[Size]
    machine: Machine | None = None
    measured: tuple[Size, float] = ({}, 0.0)
    grows: Callable[..., float] = lambda **size: 1.0
    domain: Mapping[str, Any] = field(default_factory=dict)
    works: dict[str, Workload] = field(default_factory=dict, repr=False)
    hidden: Sizes = NONE_HIDDEN

    @property
    def values(self) -> tuple[str, ...]:
        """The lines of the cell."""
        return _TIMED if self.machine else _UNTIMED

    @property
    def constants(self) -> Mapping[str, int]:
        """What a line may name besides the words of a size."""
        return LIMITS if self.machine else {}

    def __post_init__(self) -> None:
        domain = checked_domain(self.name, self.domain)
        first = checked_sizes(self.name, self.sizes, domain)
        object.__setattr__(self, "domain", domain)
        object.__setattr__(self, "sizes", complete(self.name, domain, first) if domain else first)

    def hide(self, seed: int) -> Prediction:
        """This prediction with hidden sizes, which `seed` draws.

        Raises:
            GraderFault: it has no domain.
        """
        if not self.domain:
            raise GraderFault(f"{self.name} has no domain: say in its contract what the words of a size may be.")
        return replace(self, hidden=Sizes(draw_others(self.name, self.domain, self.sizes, seed)))

    def work(self, size: Size, emulate: Backend) -> Workload:
        """The work of the launch of `size`; counted once.

        Raises:
            GraderFault: the kernel cannot be launched like this, or its work cannot be counted.
        """
        key = repr(sorted(size.items()))
        if key not in self.works:
            try:
                launch = Kernel(self.source, self.name).prepare(**self.launch(**size))
            except (UsageError, TypeError) as error:
                raise GraderFault(f"{self.name} cannot be launched for {dict(size)}: {error}") from error
            self.works[key] = count_work(launch, emulate)
        return self.works[key]


class PredictionChecker(Checks):
    """The check of one prediction. It reports its results; it returns None if the cell is right, and raises
    `CheckFailed` if not.

    Args:
        prediction: the prediction.
        answer: the text of its `%%values` cell.
        emulate: runs a launch on the emulator.
        tell: takes each result; a report comes here before it is raised.
    """

    def __init__(
        self,
        prediction: Prediction,
        answer: ValuesAnswer,
        emulate: Backend,
        tell: Tell = print_passed,
    ) -> None:
        super().__init__(prediction.name, tell)
        self._prediction, self._answer, self._emulate = prediction, answer, emulate

    def predicts(self, word: str) -> None:
        """The cell's value of `word` is what the emulator counts, for every size; `limit` is the part that takes
        longest, as the measured time confirms.

        Raises:
            GraderFault: a prediction has no such word.
        """
        asked = self._prediction
        if word not in asked.values:
            raise GraderFault(f"predicts({word!r}): a prediction has {', '.join(asked.values)}.")
        title = f"{asked.name} {report.claim_of_prediction(word)}"
        self._record(f"predicts_{word}", title, lambda: self._judge(title, word, asked.sizes))
        if sizes := asked.hidden.for_check("predicts"):
            self._record(f"predicts_{word}", title, lambda: self._judge(title, word, sizes), hidden=True)

    def _judge(self, title: str, word: str, sizes: Sequence[Size]) -> str:
        asked = self._prediction
        if (line := self._answer.stub_line) is not None:
            raise CheckFailed(report.not_written(title, asked.name, "values", line), blocked=True)
        for size in sizes:
            setting = Setting(size)
            try:
                said = self._answer.evaluate(asked.values, {**asked.constants, **size}, word)[word]
            except UsageError as error:
                raise CheckFailed(report.not_evaluated(title, setting, str(error)), blocked=True) from None
            work = asked.work(size, self._emulate)
            found: Sequence[Finding]
            if word == "limit" and asked.machine:
                measured = self._measured(size, work, asked.machine)
                found = find_wrong_limit(said, asked.machine.times(work), LIMITS, measured)
            else:
                found = find_wrong_number(word, said, getattr(work, word))
            if found:
                raise CheckFailed(report.failed(title, setting, found, asked.source))
        line_said = report.passed(title, len(sizes), 0, "emulator")
        return self._confirmed(line_said, sizes[0], asked.machine) if word == "limit" and asked.machine else line_said

    def _measured(self, size: Size, work: Workload, machine: Machine) -> MeasuredLaunch:
        """The measured launch for a report: its size, its milliseconds, and those of each part alone."""
        asked = self._prediction
        large, took = asked.measured
        factor = asked.grows(**large) / asked.grows(**size)
        parts = {part: 1e3 * factor * seconds for part, seconds in machine.times(work).items()}
        return MeasuredLaunch(machine.name, dict(large), took, parts)

    def _confirmed(self, line: str, size: Size, machine: Machine) -> str:
        work = self._prediction.work(size, self._emulate)
        return report.limit_confirmed(line, machine.limit(work), self._measured(size, work, machine))
