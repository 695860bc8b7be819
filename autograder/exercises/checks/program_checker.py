"""`check("name")` where the answer is a whole program."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from ...cuda.core.findings import Finding
from ...cuda.core.host_findings import HostFinding
from ...cuda.core.setting import Setting, Size
from ...cuda.core.withheld_writes import WithheldWrites
from ...cuda.report import Report
from ...cuda.report.kinds import kinds
from .. import report
from ..answers.given import first_change
from ..answers.program_answer import ProgramAnswer
from ..answers.program_runs import ProgramRuns, ProgramTrial
from ..answers.shrink import shrink
from ..declarations.program import ProgramExercise
from ..result import CheckFailed, Checks, Tell

if TYPE_CHECKING:
    from ...cuda.programs.launches.kernels import Launched

#: A case that prints so many numbers needs much of what its kernels write.
_ENOUGH = 32
#: The share of what is printed that must stand in memory: pieces of it may lie in several places.
_MUCH = 0.5
#: Signals by which a program ends itself: `abort` and what calls it, and a trap.
_GIVES_UP = (signal.SIGABRT, signal.SIGILL)
#: Most calls that are made to fail, each in a run of its own.
_REFUSED = 24
#: The report on what contradicts a check in one case; None if nothing does. It is given the title.
Find = Callable[[str, ProgramTrial], Report | None]


class Worth(Enum):
    """What must be right for a check to mean anything: `ANY` result, that comes from a kernel, or `ALL`, or `NONE`."""

    NONE = auto()
    ANY = auto()
    ALL = auto()


class ProgramChecker(Checks):
    """The checks of a whole program. Each reports its results; it returns None if the answer passes, and raises
    `CheckFailed` if not.

    Args:
        exercise: the exercise.
        answer: the text of its `%%cuda` cell.
        runs: its runs; new ones are added.
        tell: takes each result.
    """

    def __init__(self, exercise: ProgramExercise, answer: ProgramAnswer, runs: ProgramRuns, tell: Tell) -> None:
        super().__init__(exercise.name, tell)
        self._exercise, self._answer, self._runs = exercise, answer, runs

    def matches_numpy(self) -> None:
        """In every case the program ends with exit code 0, and prints the numbers that numpy computes and nothing
        else."""

        def find(title: str, trial: ProgramTrial) -> Report | None:
            if self._wrong_prints(title, trial) is None:
                return None
            smaller = shrink(trial.size, self._exercise.domain, lambda s: self._misprint(title, self._runs.trial(s)))
            return smaller or self._wrong_prints(title, trial)

        self._try("matches_numpy", find, Worth.NONE)

    def computes_on_the_gpu(self) -> None:
        """What the program prints comes from its kernels: they have written it, also where half of what they write
        does not arrive, or the other half; and then, as without all of it, it is wrong. Judged in each case that
        prints enough numbers, or else where it launches most."""

        title = f"{self._exercise.name} {report.claim('computes_on_the_gpu')}"

        def judge(sizes: Sequence[Size]) -> str:
            self._require_program(title)
            right = self._right(title, sizes)
            on_the_host = self._on_the_host(right)
            if on_the_host and len(right) < len(sizes):  # perhaps right by luck
                self._block(report.program_blocked(title, "not all right", self._call("matches_numpy")))
            if on_the_host:
                raise CheckFailed(report.not_on_the_gpu(title, on_the_host.command))
            return report.passed(title, len(_telling(right)), 0, "emulator")

        self._record("computes_on_the_gpu", title, lambda: judge(self._exercise.sizes))
        if others := self._exercise.hidden.others:
            self._record("computes_on_the_gpu", title, lambda: judge(others), hidden=True)

    def keeps_what_is_given(self, given: str, *, adds: Sequence[str]) -> None:
        """But for comments and for the pieces that it `adds`, the program is the one that was `given`, a text whose
        first line stands for that of `%%cuda`. It counts only where every result is right."""
        title = f"{self._exercise.name} {report.claim('keeps_what_is_given')}"
        source = self._answer.source

        def judge() -> str:
            self._require_program(title)
            if change := first_change(given, source, adds):
                raise CheckFailed(report.not_kept(title, given, source, *change))
            self._require_worth(title, Worth.ALL, self._exercise.sizes)
            return report.kept(title)

        self._record("keeps_what_is_given", title, judge)

    def stays_in_bounds(self) -> None:
        """No copy and no kernel goes beyond what was allocated."""
        self._try_findings("stays_in_bounds")

    def has_no_races(self) -> None:
        """No two threads of a kernel access the same element, at least one of them writing, with nothing to order
        them."""
        self._try_findings("has_no_races")

    def uses_pointers_where_they_belong(self) -> None:
        """Each copy's direction fits its pointers; no kernel uses a pointer to the host's memory, nor the host one to
        the GPU's."""
        self._try_findings("uses_pointers_where_they_belong")

    def frees_its_memory(self) -> None:
        """All that the program allocates on the GPU is freed once, by the function that belongs to it, and used no more
        after that."""
        self._try_findings("frees_its_memory")

    def waits_for_the_gpu(self) -> None:
        """The host uses no result, and does not end, before it knows that the work on it is over."""
        self._try_findings("waits_for_the_gpu")

    def waits_at_most(self, limit: Callable[..., int]) -> None:
        """The host waits for the GPU at most as often as `limit` says, a function of the size's words. Freeing and
        copying wait, too, and do not count. A program that waits too little gets no points for it."""

        def find(title: str, trial: ProgramTrial) -> Report | None:
            run, at_most = trial.run, limit(**trial.size)
            for check in ("waits_for_the_gpu", "orders_its_streams"):
                if any(self._of(trial, check)):
                    self._block(report.program_blocked(title, "early", self._call(check)))
            if run is None or run.waits <= at_most:
                return None
            return report.waits_too_often(title, trial.command, run.waits, at_most)

        self._try("waits_at_most", find, Worth.ALL)

    def orders_its_streams(self) -> None:
        """Where two operations use the same memory, one of them writing, a stream, an event or the host orders them."""
        self._try_findings("orders_its_streams")

    def notices_errors(self) -> None:
        """Where a call of CUDA's fails, the program ends with another exit code than 0, or ends itself by a signal:
        in the check's own cases, and in an ordinary one, where it launches most, whichever of its launches, copies
        and allocations fails."""

        def find(title: str, trial: ProgramTrial) -> Report | None:
            if trial.run is None or (trial.run.status < 0 and -trial.run.status not in _GIVES_UP):
                return self._wrong_prints(title, trial)
            found = next(self._of(trial, "notices_errors"), None)
            if not trial.run.status and (found or trial.case.fails):
                return report.not_noticed(title, trial.command, found, str(self._answer.file))
            usual = _largest(self._right(title, self._exercise.sizes))
            for number in _firsts_and_lasts(usual.run.refusable if usual.run else ()):
                run = self._runs.trial(usual.size, refuse=number).run
                if run and run.refused and run.status == 0:
                    call, line = run.refused.name, run.refused.place.line
                    return report.overlooked(title, usual.command, call, line)
            return None

        self._try("notices_errors", find)

    def overlaps_its_copies(self, alone: Callable[..., int], in_all: Callable[..., int]) -> None:
        """Copies between the host and the GPU go on while a kernel may run that works on what is copied: at most
        `alone` bytes do not, and at most `in_all` are copied, functions of the size's words. A program with wrong
        results gets no points for it."""

        def find(title: str, trial: ProgramTrial) -> Report | None:
            run, at_most, most = trial.run, alone(**trial.size), in_all(**trial.size)
            if run and run.copied > most:
                return report.copied_too_much(title, trial.command, run.copied, most)
            if run is None or (run.copied > at_most and run.copied - run.overlapped <= at_most):
                return None
            return report.not_overlapped(title, trial.command, run.copied - run.overlapped, at_most, run.copied)

        self._try("overlaps_its_copies", find, Worth.ALL)

    def _try_findings(self, method: str) -> None:
        """A check of what the run itself has found."""

        def find(title: str, trial: ProgramTrial) -> Report | None:
            found = list(self._of(trial, method))
            if found:
                return report.program_failed(title, trial.command, found[0], len(found) - 1, str(self._answer.file))
            for launched in trial.run.launches if trial.run else ():
                for finding in launched.run.findings:
                    if kinds()[finding.kind].check == method:
                        return self._kernel_failed(title, trial, launched, finding)
            return None

        self._try(method, find)

    def _of(self, trial: ProgramTrial, method: str) -> Iterator[HostFinding]:
        """What the check named `method` finds in the host's half."""
        return (f for f in (trial.run.findings if trial.run else ()) if report.HOST_CHECKS.get(f.kind) == method)

    def _kernel_failed(self, title: str, trial: ProgramTrial, launched: Launched, finding: Finding) -> Report:
        launch = launched.launch
        setting = Setting(
            trial.size, launch.grid, launch.block, launch.shared_mem, exercise=self._exercise.name, in_program=True
        )
        place = f"line {launched.place.line}"
        return report.kernel_failed(title, trial.command, finding, setting, launch.source, place)

    def _wrong_prints(self, title: str, trial: ProgramTrial) -> Report | None:
        if not (problem := trial.wrong):
            return None
        run, main = trial.run, str(self._answer.file)
        if run and run.uncompiled:
            return self._kernel_failed(title, trial, run.uncompiled.as_launch(), run.uncompiled.finding)
        printed, said = (run.printed or "", run.said) if run else ("", "")
        found = next(iter(run.findings), None) if run else None
        for launched in run.launches if run and not found else ():
            for finding in launched.run.findings:
                if not launched.run.completed:
                    return self._kernel_failed(title, trial, launched, finding)
        return report.wrong_prints(title, trial.command, printed, problem, found, main, said)

    def _misprint(self, title: str, trial: ProgramTrial) -> Report | None:
        """What is wrong in a case whose kernels ran to their end. (A kernel that stopped is easier to understand in a
        case that the author has chosen.)"""
        run = trial.run
        stopped = run is None or run.uncompiled or not all(launched.run.completed for launched in run.launches)
        return None if stopped else self._wrong_prints(title, trial)

    def _try(self, method: str, find: Find, worth: Worth = Worth.ANY) -> None:
        """Judge a check over the visible sizes, and then over its hidden ones, if any."""
        title = f"{self._exercise.name} {report.claim(method)}"
        visible, hidden = self._exercise.visible, self._exercise.hidden
        sizes = visible.for_check(method)
        self._record(method, title, lambda: self._judge(title, find, worth, sizes, visible.others))
        if others := hidden.for_check(method):
            self._record(method, title, lambda: self._judge(title, find, worth, others, hidden.others), hidden=True)

    def _judge(self, title: str, find: Find, worth: Worth, sizes: Sequence[Size], ordinary: Sequence[Size]) -> str:
        """The line of a check that passes in `sizes`. What the program is worth shows in the `ordinary` ones."""
        self._require_program(title)
        if worth is Worth.ALL:
            self._require_worth(title, worth, ordinary)
        for size in sizes:
            if shown := find(title, self._runs.trial(size)):
                raise CheckFailed(shown)
        self._require_worth(title, worth, ordinary)
        return report.passed(title, len(sizes), 0, "emulator")

    def _require_program(self, title: str) -> None:
        """Fail if nothing is written yet, or nothing that compiles."""
        if (line := self._answer.stub_line) is not None:
            self._block(report.not_written(title, self._exercise.name, "cuda", line))
        if isinstance(self._answer.built, str):
            self._block(report.program_not_compiled(title))

    def _require_worth(self, title: str, worth: Worth, sizes: Sequence[Size]) -> None:
        """Fail if the claim would hold only trivially."""
        if worth is Worth.NONE:
            return
        right = self._right(title, sizes)
        if worth is Worth.ALL and len(right) < len(sizes):
            self._block(report.program_blocked(title, "not all right", self._call("matches_numpy")))
        if self._on_the_host(right):
            self._block(report.program_blocked(title, "on the host", self._call("computes_on_the_gpu")))

    def _right(self, title: str, sizes: Sequence[Size]) -> list[ProgramTrial]:
        """The cases whose results are right; fails if there are none."""
        right = [trial for trial in map(self._runs.trial, sizes) if not trial.wrong]
        if not right:
            self._block(report.program_blocked(title, "none right", self._call("matches_numpy")))
        return right

    def _on_the_host(self, right: Sequence[ProgramTrial]) -> ProgramTrial | None:
        """The first case that does not print what its kernels have left in memory, or is right, too, without some of
        that which must matter; None if there is none."""
        for trial in _telling(right):
            many = _prints_many(trial)
            if many and trial.delivered < _MUCH:
                return trial
            for part in filter(None, WithheldWrites) if many else (WithheldWrites.ALL,):
                altered = self._runs.trial(trial.size, withheld=part)
                # A program that compares its results may well refuse to print them.
                prints = altered.run is not None and altered.run.status == 0 and altered.numbers
                elsewhere = part is not WithheldWrites.ALL and prints and altered.delivered < _MUCH
                left = many and part is WithheldWrites.ALL and prints and altered.any_right
                if not altered.wrong or elsewhere or left:
                    return trial
        return None

    def _call(self, check: str) -> str:
        """What a student writes to ask for another check."""
        return f'check("{self._exercise.name}").{check}()'

    def _block(self, shown: Report) -> NoReturn:
        raise CheckFailed(shown, blocked=True)


def _telling(right: Sequence[ProgramTrial]) -> list[ProgramTrial]:
    """The cases that tell whether a program computes on the GPU: they print so much that none is right by luck."""
    return [t for t in right if t.case.on_the_gpu and np.size(t.case.prints) >= _ENOUGH] or [_largest(right)]


def _prints_many(trial: ProgramTrial) -> bool:
    """Whether it prints so much that a half, too, must matter: a single flag would be enough otherwise. (A half gets
    other values of it, which may be the same where all numbers are.)"""
    prints = np.asarray(trial.case.prints)
    return prints.size >= _ENOUGH and bool(np.ptp(prints))


def _firsts_and_lasts(calls: Sequence[tuple[str, int]]) -> Sequence[int]:
    """The numbers, from 1, of the first and of the last call of each name and line, at most `_REFUSED` in all."""
    last = {call: number for number, call in enumerate(calls, 1)}
    first = {call: number for number, call in reversed([*enumerate(calls, 1)])}
    return [*dict.fromkeys([*first.values(), *last.values()])][:_REFUSED]


def _largest(trials: Sequence[ProgramTrial]) -> ProgramTrial:
    """The case with most launches, and of these the one that prints most."""
    return max(trials, key=lambda trial: (len(trial.run.launches) if trial.run else 0, len(trial.case.prints)))
