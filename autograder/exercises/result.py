"""The result of one check as data, which a notebook's outputs hold besides the student's text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from ..cuda.report import Report

#: The type under which a notebook's outputs hold a `CheckResult`.
MIME = "application/vnd.autograder.check+json"


class Outcome(StrEnum):
    """How a check ended. `BLOCKED`: it could not judge, and gives no points either. `FAULT`: the grader failed, and a
    person grades by hand."""

    PASSED = "passed"
    FAILED = "failed"
    BLOCKED = "blocked"
    FAULT = "fault"


@dataclass(frozen=True)
class CheckResult:
    """What one check found in the sizes that the notebook shows, or in the hidden ones.

    Args:
        exercise: the name that `check` was given.
        check: the method, such as "has_no_races", with the words it was given ("predicts_bytes").
        title: the same for people: "transpose has no races".
        hidden: whether it is about the hidden sizes, which are not named here: students may see this.
        outcome: how it ended; never `FAULT`.
    """

    exercise: str
    check: str
    title: str
    hidden: bool
    outcome: Outcome

    def to_data(self) -> dict[str, Any]:
        """Values that JSON can hold."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> CheckResult:
        """Return what `to_data` was called on."""
        return cls(**{**data, "outcome": Outcome(data["outcome"])})


def read_results(outputs: Iterable[Mapping[str, Any]]) -> tuple[CheckResult, ...]:
    """Return the results among the outputs of a cell, in the order of its calls."""
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


#: Takes the result of a check, and what the student reads: a line if it passes, else a report.
OnResult = Callable[[CheckResult, str | Report], None]


def print_passed(result: CheckResult, message: str | Report) -> None:
    """Outside notebooks: print the line of a check that passes. The exception says all about one that does not."""
    if result.outcome is Outcome.PASSED:
        print(message)
