"""The runs of an answer that is a whole program: each case once for all checks, and what it prints wrong."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...cuda.core.findings import Kind
from ...cuda.core.host_findings import HostKind
from ...cuda.core.setting import Size
from ...cuda.core.suppressed_writes import SuppressedWrites
from ...cuda.errors import UsageError
from .. import report
from ..declarations.program import ProgramCase, ProgramExercise
from .delivered import share_delivered
from .interrupted import Interrupted
from .program_answer import ProgramAnswer

if TYPE_CHECKING:
    from ...cuda.programs.building.build import Program
    from ...cuda.programs.process import ProgramRun

#: Runs a program with arguments; what its kernels write may be suppressed, and a call be made to fail.
RunProgram = Callable[["Program", ProgramAnswer, tuple[str, ...], SuppressedWrites, int], "ProgramRun"]


def run_in_sandbox(
    program: Program, answer: ProgramAnswer, arguments: tuple[str, ...], suppressed: SuppressedWrites, refuse: int
) -> ProgramRun:
    """Run an answer's program, which reaches nothing but its pipes."""
    from ...cuda.programs.process import run_program
    from ...cuda.programs.served import Limits

    return run_program(program, answer.file, arguments, limits=Limits(), suppressed=suppressed, refuse=refuse)


@dataclass(frozen=True)
class ProgramTrial:
    """One case, run: what was asked for, and what happened, or a sentence on what the emulator does not have."""

    case: ProgramCase
    command: str
    size: Size
    run: ProgramRun | None
    problem: str = ""

    @cached_property  # each check asks for these
    def numbers(self) -> list[float]:
        """The numbers that are printed, up to the first word that is none."""
        found = list[float]()
        for word in (self.run.printed or "").split() if self.run else ():
            try:
                found.append(float(word))
            except ValueError:
                break
        return found

    @cached_property
    def delivered(self) -> float:
        """The share of what is printed that kernels have left in memory; see `share_delivered`."""
        orders = self.run.delivered if self.run else ()
        return max((share_delivered(self.numbers, written) for written in orders), default=0.0)

    @cached_property
    def any_right(self) -> bool:
        """Whether any of the numbers to print is right, and not 0."""
        want = np.asarray(self.case.prints, dtype=float).reshape(-1)
        mine = np.array([*self.numbers[: want.size], *[np.nan] * (want.size - len(self.numbers))])
        return bool(((mine == want) & (want != 0)).any())

    @cached_property
    def wrong(self) -> str:
        """A sentence on what is wrong with how the program ends or with what it prints; "" if nothing is."""
        if self.run is None:
            return self.problem
        if self.run.uncompiled:
            return report.kernel_not_compiled(self.run.uncompiled.kernel.name)
        if self.run.status:
            return report.ended(self.run.status)
        if stopped := next((launch for launch in self.run.launches if not launch.run.completed), None):
            return report.kernel_stopped(stopped.kernel.name)
        got, words = self.numbers, (self.run.printed or "").split()
        if len(got) < len(words):
            return report.no_number(words[len(got)])
        want = [float(number) for number in np.asarray(self.case.prints).reshape(-1)]
        for number, (mine, right) in enumerate(zip(got, want, strict=False), 1):
            if mine != right or math.isnan(mine):
                return report.number_differs(mine, right, number, len(want))
        return "" if len(got) == len(want) else report.count_differs(len(got), len(want))


class ProgramRuns:
    """Runs the program of an answer, which has compiled. Once it had to be stopped, it is not run any more: the next
    case would only take as long.

    Where some of what kernels write is suppressed, a case is run once more as it is, in an order of chance among these
    runs: a program that counts its runs, or looks at a clock, can't tell which of them must be right.

    Args:
        run: runs it.
    """

    def __init__(self, exercise: ProgramExercise, answer: ProgramAnswer, run: RunProgram) -> None:
        self._exercise, self._answer, self._run = exercise, answer, run
        self._known: dict[tuple[str, SuppressedWrites, int], ProgramTrial] = {}
        self._stopped: ProgramTrial | None = None
        self._interrupted = Interrupted()

    def trial(
        self, size: Size, *, suppressed: SuppressedWrites = SuppressedWrites.NOTHING, refuse: int = 0
    ) -> ProgramTrial:
        """Return the case of `size`, run, or the one in which the program was stopped; `suppressed`: without these of
        its kernels write, or as it is, if it is not right then each time; `refuse`: where the call of this number, from
        1, fails.

        Raises:
            GraderFault: the case is wrong, or the emulator failed.
        """
        key = (repr(sorted(size.items())), suppressed, refuse)
        if key not in self._known and self._stopped:
            return self._stopped
        if key not in self._known and suppressed:
            self._run_mixed(size, key[0])
        elif key not in self._known:
            self._known[key] = trial = self._run_once(size, suppressed, refuse)
            if trial.run and not refuse and _had_to_be_stopped(trial.run):
                self._stopped = trial
        return self._known[key]

    def _run_mixed(self, size: Size, case: str) -> None:
        """Run a case without all that kernels write and without each half of it, and once as it is."""
        first = self.trial(size)
        order = list(SuppressedWrites)
        random.SystemRandom().shuffle(order)
        trials = {part: self._run_once(size, part) for part in order}
        same = trials[SuppressedWrites.NOTHING].wrong == first.wrong
        for part in filter(None, SuppressedWrites):
            self._known[case, part, 0] = trials[part] if same else first

    def _run_once(self, size: Size, suppressed: SuppressedWrites, refuse: int = 0) -> ProgramTrial:
        case = self._exercise.build(size)
        command = " ".join([self._answer.name, *case.command])
        program = self._answer.built
        assert not isinstance(program, str)
        try:
            with self._interrupted.once(report.RUNS_TOO_LONG):
                run, problem = self._run(program, self._answer, case.command, suppressed, refuse), ""
        except UsageError as error:
            run, problem = None, str(error)
        return ProgramTrial(case, command, size, run, problem)


def _had_to_be_stopped(run: ProgramRun) -> bool:
    """Return whether the host's half, or a kernel, would not have ended in any time that it may take."""
    kernels = (finding.kind for launched in run.launches for finding in launched.run.findings)
    return any(finding.kind is HostKind.STOPPED for finding in run.findings) or Kind.STEP_LIMIT in kernels
