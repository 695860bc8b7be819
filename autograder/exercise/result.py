"""What one check gave, as data: what a notebook's outputs hold beside what the student reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from ..report import Report

#: The type under which a notebook's outputs hold a `CheckResult`.
MIME = "application/vnd.autograder.check+json"


class Outcome(StrEnum):
    """How a check ended. `BLOCKED`: it could not judge, and gives no points either. `FAULT`: the grader broke, and a
    person grades it."""

    PASSED = "passed"
    FAILED = "failed"
    BLOCKED = "blocked"
    FAULT = "fault"


@dataclass(frozen=True)
class CheckResult:
    """One call of a check.

    Args:
        exercise: the name that `check` was given.
        check: the method, such as "has_no_races"; words that it was given belong to it ("predicts_bytes").
        title: the same for people: "transpose has no races".
        outcome: how it ended; never `FAULT`.
        line: the line of its cell that called it, from 1; 0 outside notebooks.
    """

    exercise: str
    check: str
    title: str
    outcome: Outcome
    line: int = 0

    def to_data(self) -> dict[str, Any]:
        """Values that JSON can hold."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> CheckResult:
        """What `to_data` was called on."""
        return cls(**{**data, "outcome": Outcome(data["outcome"])})


def read_results(outputs: Iterable[Mapping[str, Any]]) -> tuple[CheckResult, ...]:
    """The results among the outputs of a cell, in the order of its calls."""
    found = (output.get("data", {}).get(MIME) for output in outputs)
    return tuple(CheckResult.from_data(data) for data in found if data)


class CheckFailed(AssertionError):
    """The student's answer does not pass; `str` of it is the whole report.

    `report` is that report. `blocked` says that the check could not judge, because of a mistake that
    belongs to another check or because there is no answer that compiles.
    """

    def __init__(self, report: Report, *, blocked: bool = False) -> None:
        super().__init__(str(report))
        self.report, self.blocked = report, blocked

    def _render_traceback_(self) -> list[str]:
        return [self.report.title]


#: Takes the result of a check, and what the student reads: a line where it passes, else a report.
Tell = Callable[[CheckResult, str | Report], None]


def print_passed(result: CheckResult, said: str | Report) -> None:
    """Outside notebooks: print the line of a check that passes. The exception says all about one that does not."""
    if result.outcome is Outcome.PASSED:
        print(said)


class Checks:
    """The checks of one exercise: methods marked `recorded`.

    Args:
        name: of the exercise.
        tell: takes each result.
    """

    def __init__(self, name: str, tell: Tell) -> None:
        self._name, self._tell = name, tell

    def _record(self, check: str, outcome: Outcome, title: str, said: str | Report) -> None:
        self._tell(CheckResult(self._name, check, title, outcome), said)


_Owner = TypeVar("_Owner", bound=Checks)
_Words = ParamSpec("_Words")


def recorded(check: Callable[Concatenate[_Owner, _Words], str]) -> Callable[Concatenate[_Owner, _Words], None]:
    """Make a check of a method that returns its line where the answer passes, and raises `CheckFailed` where it does
    not: its result is told before it returns (None) or raises."""

    @wraps(check)
    def run(self: _Owner, /, *args: _Words.args, **kwargs: _Words.kwargs) -> None:
        name = "_".join([check.__name__, *(word for word in args if isinstance(word, str))])
        try:
            said = check(self, *args, **kwargs)
        except CheckFailed as failure:
            outcome = Outcome.BLOCKED if failure.blocked else Outcome.FAILED
            title = failure.report.title.removesuffix(f": {outcome.upper()}")
            self._record(name, outcome, title, failure.report)
            raise
        self._record(name, Outcome.PASSED, said.partition(": ")[0], said)

    return run
