"""Judge one check of a whole program over all sizes, and name the other check whose failure stops it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from ...cuda.core.findings import Finding
from ...cuda.core.host_findings import HostFinding
from ...cuda.core.setting import Setting, Size
from ...cuda.core.suppressed_writes import SuppressedWrites
from ...cuda.report import Report
from .. import report
from ..answers.program_answer import ProgramAnswer
from ..answers.program_runs import ProgramRuns, ProgramTrial
from ..declarations.declaration import Sizes
from ..declarations.program import ProgramExercise
from ..report import HOST_CHECKS
from .check import Check, CheckFunction
from .frame import call, fail

if TYPE_CHECKING:
    from ...cuda.programs.launches.kernels import Launched

#: A case that prints this many numbers needs much of what its kernels write.
_ENOUGH = 32
#: The share of what is printed that must be in memory: pieces of it may lie in several places.
_MUCH = 0.5


class Worth(Enum):
    """What must be right for a check to mean anything: `ANY` result that comes from a kernel, or `ALL`, or `NONE`."""

    NONE = auto()
    ANY = auto()
    ALL = auto()


@dataclass(frozen=True, kw_only=True)
class ProgramCheck(Check):
    """A check by which `ProgramJudge` judges a whole program.

    Args:
        find: returns the report on what contradicts the claim in one case, given the title; None if nothing does.
        judge_alone: judges the given cases, in place of all else, given the title; returns the line of an answer that
            passes.
        worth: what must be right.
    """

    find: Callable[[ProgramJudge, str, ProgramTrial], Report | None] = lambda judge, title, trial: None
    judge_alone: Callable[[ProgramJudge, str, Sequence[Size]], str] | None = None
    worth: Worth = Worth.ANY


#: Decorates a function that returns a check of a whole program.
program_check = partial(CheckFunction, ProgramCheck)


class ProgramJudge:
    """Judges checks of one program: returns one line if it passes, and raises `CheckFailed` if not.

    Args:
        exercise: the exercise.
        answer: the text of its `%%cuda` cell.
        runs: its runs; new ones are added.
    """

    def __init__(self, exercise: ProgramExercise, answer: ProgramAnswer, runs: ProgramRuns) -> None:
        self.exercise, self.answer, self.runs = exercise, answer, runs

    def judge(self, check: ProgramCheck, title: str, sizes: Sizes) -> str:
        """Judge `check`; return the line that reports that the program passes. What the program is worth shows in the
        cases that are not only for this check."""
        self._require_program(title)
        if check.judge_alone:
            return check.judge_alone(self, title, sizes.others)
        if check.worth is Worth.ALL:
            self.require_worth(title, check.worth, sizes.others)
        judged = sizes.for_check(check.method)
        for size in judged:
            if shown := check.find(self, title, self.runs.trial(size)):
                fail(shown)
        self.require_worth(title, check.worth, sizes.others)
        return report.passed(title, len(judged), 0, "emulator")

    def _require_program(self, title: str) -> None:
        """Fail if nothing is written yet, or nothing that compiles."""
        if (line := self.answer.stub_line) is not None:
            fail(report.not_written(title, self.exercise.name, "cuda", line), blocked=True)
        if isinstance(self.answer.built, str):
            fail(report.program_not_compiled(title), blocked=True)

    def require_worth(self, title: str, worth: Worth, sizes: Sequence[Size]) -> None:
        """Fail if the claim would hold only trivially."""
        if worth is Worth.NONE:
            return
        right = self.right(title, sizes)
        if worth is Worth.ALL and len(right) < len(sizes):
            self.block(title, "not all right", "matches_numpy")
        if on_the_host(self.runs, right):
            self.block(title, "on the host", "computes_on_the_gpu")

    def right(self, title: str, sizes: Sequence[Size]) -> list[ProgramTrial]:
        """Return the cases whose results are right; fail if there are none."""
        right = [trial for trial in map(self.runs.trial, sizes) if not trial.wrong]
        if not right:
            self.block(title, "none right", "matches_numpy")
        return right

    def block(self, title: str, why: str, check: str) -> NoReturn:
        """End a check that cannot judge before another one passes."""
        fail(report.program_blocked(title, why, call(self.exercise, check)), blocked=True)

    def wrong_prints(self, title: str, trial: ProgramTrial) -> Report | None:
        """Return the report on how a program ends, or on what it prints; None if both are right."""
        if not (problem := trial.wrong):
            return None
        run, main = trial.run, str(self.answer.file)
        if run and run.uncompiled:
            return self.kernel_failed(title, trial, run.uncompiled.as_launch(), run.uncompiled.finding)
        printed, message = (run.printed or "", run.errors) if run else ("", "")
        found = next(iter(run.findings), None) if run else None
        for launched in run.launches if run and not found else ():
            for finding in launched.run.findings:
                if not launched.run.completed:
                    return self.kernel_failed(title, trial, launched, finding)
        return report.wrong_prints(title, trial.command, printed, problem, found, main, message)

    def kernel_failed(self, title: str, trial: ProgramTrial, launched: Launched, finding: Finding) -> Report:
        """Return the report on a finding in a launch of a program."""
        launch = launched.launch
        setting = Setting(
            trial.size, launch.grid, launch.block, launch.shared_mem, exercise=self.exercise.name, in_program=True
        )
        place = f"line {launched.place.line}"
        return report.kernel_failed(title, trial.command, finding, setting, launch.source, place)


def found_by(trial: ProgramTrial, check: str) -> Iterator[HostFinding]:
    """Return the findings in a program's host code that belong to `check`."""
    return (f for f in (trial.run.findings if trial.run else ()) if HOST_CHECKS.get(f.kind) == check)


def on_the_host(runs: ProgramRuns, right: Sequence[ProgramTrial]) -> ProgramTrial | None:
    """Return the first case that does not print what its kernels have left in memory, or that is right, too, without
    some of that which must matter; None if there is none.

    Args:
        runs: runs a case without some of what its kernels write.
        right: the cases whose results are right.
    """
    for trial in decisive(right):
        many = _prints_many(trial)
        if many and trial.delivered < _MUCH:
            return trial
        for part in filter(None, SuppressedWrites) if many else (SuppressedWrites.ALL,):
            altered = runs.trial(trial.size, suppressed=part)
            # A program that compares its results may well refuse to print them.
            prints = altered.run is not None and altered.run.status == 0 and altered.numbers
            moved = part is not SuppressedWrites.ALL and prints and altered.delivered < _MUCH
            left = many and part is SuppressedWrites.ALL and prints and altered.any_right
            if not altered.wrong or moved or left:
                return trial
    return None


def decisive(right: Sequence[ProgramTrial]) -> list[ProgramTrial]:
    """Return the cases that show whether a program computes on the GPU: they print so much that none is right by
    luck."""
    return [t for t in right if t.case.on_the_gpu and np.size(t.case.prints) >= _ENOUGH] or [largest(right)]


def _prints_many(trial: ProgramTrial) -> bool:
    """Return whether it prints so much that a half, too, must matter: a single flag would be enough otherwise. (A half
    gets other values of it, which may be the same if all numbers are.)"""
    prints = np.asarray(trial.case.prints)
    return prints.size >= _ENOUGH and bool(np.ptp(prints))


def largest(trials: Sequence[ProgramTrial]) -> ProgramTrial:
    """Return the case with most launches, and of these the one that prints most."""
    return max(trials, key=lambda trial: (len(trial.run.launches) if trial.run else 0, len(trial.case.prints)))
