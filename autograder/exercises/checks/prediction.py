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
from ..findings import MeasuredLaunch, Predicted, WrongLimit, WrongNumber
from ..result import OnResult, print_passed
from .check import Check
from .frame import Checks, fail

_TIMED = ("operations", "bytes", "intensity", "limit")
_UNTIMED = ("waits",)
#: Largest relative difference between a predicted number and the counted one: of an intensity, which may be written
#: with few digits; and of what is counted, where only the arithmetic rounds.
TOLERANCE, ROUNDING = 1e-3, 1e-9


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
    def visible(self) -> Sizes:
        """The visible sizes."""
        return Sizes(tuple(self.sizes))

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
        """Return the work of the launch of `size`; counted once.

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


class PredictionChecker(Checks[Prediction, Check]):
    """The check of one prediction. It reports its results; it returns None if the cell is right, and raises
    `CheckFailed` if not.

    Args:
        prediction: the prediction.
        answer: the text of its `%%values` cell.
        emulate: runs a launch on the emulator.
        on_result: takes each result; a report comes here before it is raised.
    """

    def __init__(
        self,
        prediction: Prediction,
        answer: ValuesAnswer,
        emulate: Backend,
        on_result: OnResult = print_passed,
    ) -> None:
        super().__init__(prediction, on_result)
        self._answer, self._emulate = answer, emulate

    def predicts(self, word: str) -> None:
        """The cell's value of `word` is what the emulator counts, for every size; `limit` is the part that takes
        longest, as the measured time confirms.

        Raises:
            GraderFault: a prediction has no such word.
        """
        if word not in self._exercise.values:
            raise GraderFault(f"predicts({word!r}): a prediction has {', '.join(self._exercise.values)}.")
        self._try(Check(method="predicts", claim=report.claim_of_prediction(word), words=(word,)))

    def _judge(self, check: Check, title: str, sizes: Sizes, *, hidden: bool) -> str:
        (word,), prediction = check.words, self._exercise
        if (line := self._answer.stub_line) is not None:
            fail(report.not_written(title, prediction.name, "values", line), blocked=True)
        for size in sizes.others:
            setting = Setting(size)
            try:
                value = self._answer.evaluate(prediction.values, {**prediction.constants, **size}, word)[word]
            except UsageError as error:
                fail(report.not_evaluated(title, setting, str(error)), blocked=True)
            work = prediction.work(size, self._emulate)
            found: Sequence[Finding]
            if word == "limit" and prediction.machine:
                measured = self._measured(size, work, prediction.machine)
                found = find_wrong_limit(value, prediction.machine.times(work), LIMITS, measured)
            else:
                found = find_wrong_number(word, value, getattr(work, word))
            if found:
                fail(report.failed(title, setting, found, prediction.source))
        passed = report.passed(title, len(sizes.others), 0, "emulator")
        if word == "limit" and prediction.machine:
            return self._confirmed(passed, sizes.others[0], prediction.machine)
        return passed

    def _measured(self, size: Size, work: Workload, machine: Machine) -> MeasuredLaunch:
        """Return the measured launch for a report: its size, its milliseconds, and those of each part alone."""
        large, took = self._exercise.measured
        factor = self._exercise.grows(**large) / self._exercise.grows(**size)
        parts = {part: 1e3 * factor * seconds for part, seconds in machine.times(work).items()}
        return MeasuredLaunch(machine.name, dict(large), took, parts)

    def _confirmed(self, line: str, size: Size, machine: Machine) -> str:
        work = self._exercise.work(size, self._emulate)
        return report.limit_confirmed(line, machine.limit(work), self._measured(size, work, machine))


def find_wrong_number(word: str, value: Predicted, counted: float) -> list[WrongNumber]:
    """Return one finding if `value`, a cell's answer for `word`, is not `counted`."""
    allowed = TOLERANCE if word == "intensity" else ROUNDING
    if isinstance(value, int | float) and abs(value - counted) <= allowed * abs(counted):
        return []
    return [WrongNumber(word=word, answered=value, counted=counted)]


def find_wrong_limit(
    value: Predicted, times: Mapping[str, float], names: Mapping[str, int], measured: MeasuredLaunch
) -> list[WrongLimit]:
    """Return one finding if `value` is not the number, in `names`, of the part that takes longest in `times`;
    `measured` is a launch that shows it."""
    longest = max(times, key=lambda part: times[part])
    if value == names[longest]:
        return []
    part = next((name for name, number in names.items() if number == value), "")
    return [WrongLimit(answered=value, part=part, measured=measured)]
