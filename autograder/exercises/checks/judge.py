"""Judge one check of an answer over all sizes, and name the other check whose failure stops it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NoReturn

from ...cuda.core.findings import Finding, Kind, Mismatch, StepLimit
from ...cuda.core.launch import IN_SERIES
from ...cuda.core.races import clearest_first
from ...cuda.core.setting import Size
from ...cuda.report import Report
from ...cuda.report.kinds import kinds
from .. import report
from ..answers.answer import KernelAnswer, ValuesAnswer
from ..answers.launches import AGAIN, FILL, Launches, NotLaunchedError
from ..answers.shrink import shrink
from ..answers.tools import Tools
from ..answers.trial import ENDLESS, Trial, expected_outputs, expects_results, find_wrong_result, gives_results
from ..declarations.declaration import Exercise
from ..declarations.small_sizes import small_sizes
from .check import Check, CheckFunction
from .constructs import times_used
from .frame import call, fail
from .history import History
from .needless_barriers import Needless, find_needless

#: Findings about which a report has more to say, or to show, than the run itself gives.
_EXPLAINED = (Kind.RACE, Kind.BARRIER_DIVERGENCE)
_REFUSED = (Kind.COMPILE_ERROR, Kind.FORBIDDEN_CODE)
_WARP = 32


@dataclass(frozen=True, kw_only=True)
class KernelCheck(Check):
    """A check by which `Judge` judges a kernel.

    A check that is not `on_gpu` needs one case that ran to its end with at least one right result. A case that another
    mistake stopped costs that mistake's points, and only those.

    Args:
        find: returns what contradicts the claim in one case; nothing if no single case is judged.
        judge_all: judges all cases together, given the title; returns None if there is nothing to report.
        judge_alone: judges the answer without its cases, in place of all else, given the title; returns the line of an
            answer that passes.
        on_gpu: whether it judges on the GPU if there is one, and in every case.
        orders: what it also judges in other orders of the threads, if these could matter: results; counts, which these
            must not raise; or what goes wrong in the launch.
        in_small_sizes: whether it also judges small sizes of the domain (`small_sizes.py`), if it passes in all others.
        needs_no_finding: the claim means nothing for a kernel in whose launches another check finds a mistake,
        needs_right_results: nor for one whose results are wrong in any case,
        needs_shared_memory: nor for one that never uses shared memory,
        needs_several_threads: nor for one in which a single thread of a block does everything,
        needs_one_result: nor for one whose result depends on the order in which its threads execute atomic operations.
        remark: returns a remark on an answer that passes in all visible cases, which it gets; "" for none.
    """

    find: Callable[[Trial], Sequence[Finding]] = lambda trial: ()
    judge_all: Callable[[Judge, str, Sequence[Trial]], Report | None] | None = None
    judge_alone: Callable[[Judge, str], str] | None = None
    on_gpu: bool = False
    orders: Literal["results", "counts", "findings"] | None = None
    in_small_sizes: bool = False
    needs_no_finding: bool = False
    needs_right_results: bool = False
    needs_shared_memory: bool = False
    needs_several_threads: bool = False
    needs_one_result: bool = False
    remark: Callable[[Judge, Sequence[Trial]], str] | None = None


#: Decorates a function that returns a check of a kernel.
kernel_check = partial(CheckFunction, KernelCheck)


class Judge:
    """Judges checks of one answer: returns one line if it passes, and raises `CheckFailed` if not.

    Args:
        exercise: the exercise.
        answer: the text of its `%%cuda` cell.
        values: the text of its `%%values` cell; None if it has no such cell.
        launches: the launches of the answer.
        tools: what the machine offers.
        sizes: the sizes to try.
        history: what the answer's checks have seen before.
    """

    def __init__(
        self,
        exercise: Exercise,
        answer: KernelAnswer,
        values: ValuesAnswer | None,
        launches: Launches,
        tools: Tools,
        sizes: Sequence[Size],
        history: History,
    ) -> None:
        self.exercise, self.answer, self._values = exercise, answer, values
        self.launches, self.tools, self._sizes, self.history = launches, tools, sizes, history
        self._reported: Trial | None = None

    def judge(self, check: KernelCheck, title: str) -> str:
        """Judge `check` by what it finds in each case, and then in all; return the line that reports that it passed."""
        self.require_answer(title)
        try:
            return check.judge_alone(self, title) if check.judge_alone else self._judge_and_show(check, title)
        except NotLaunchedError as error:
            fail(report.not_launched(title, error.setting, str(error)), blocked=True)

    def _judge_and_show(self, check: KernelCheck, title: str) -> str:
        """Judge `check`, and show first what a case prints, once: the one that fails, or the smallest."""
        try:
            line = self._judge(check, title, self._sizes)
            if check.in_small_sizes and (small := self._small_that_fail(check)):
                self._judge(check, title, (*self._sizes, *small))
            return line
        finally:
            self._show_printed(title)

    def _show_printed(self, title: str) -> None:
        trials = [trial for trial in self.history.trials.values() if trial.setting.size in self._sizes]
        reported = self._reported if self._reported and self._reported.run.printed else None
        printed = [trial for trial in trials if trial.run.printed]
        if self.tools.show_printed and (reported or printed) and self.history.prints_in(title):
            shown = reported or min(printed, key=lambda trial: trial.data)
            self.tools.show_printed(report.printed(shown.setting, shown.run.printed))

    def _small_that_fail(self, check: KernelCheck) -> Sequence[Size]:
        """Return small sizes in which something is wrong, whether or not this check finds it; none if other sizes have
        shown that already."""
        if self.tools.sweep is None or not self.exercise.domain:
            return ()
        if self.history.small is None:
            if any(is_wrong(self.launches.trial(size, on_gpu=check.on_gpu)) for size in self._sizes):
                return ()
            sizes = small_sizes(self.exercise.name, self.exercise.domain)
            self.history.small = self.launches.wrong_of(sizes, self.tools.sweep)
        return self.history.small

    def _judge(self, check: KernelCheck, title: str, sizes: Sequence[Size]) -> str:
        judged = []
        stopped: list[tuple[Trial, Finding]] = []
        wrong: list[tuple[Trial, Sequence[Finding]]] = []
        for size in sizes:
            try:
                trial = self.launches.trial(size, on_gpu=check.on_gpu)
            except NotLaunchedError:
                if wrong:
                    break
                raise
            trial, found = self._found(check, trial)
            if found:
                if found[0].kind is not Kind.MISMATCH:
                    self._fail_by(check, title, trial, found)
                wrong.append((trial, found))
                continue
            stopper = trial.stopper
            if stopper is None:
                judged.append(trial)
                continue
            if stopper.kind in _REFUSED:
                self.require_end(title, trial)
            stopped.append((trial, stopper))
            if stopper.kind in ENDLESS:
                break  # the next size would only take as long to fail
        if wrong:  # the smallest case is the easiest to follow by hand
            self._fail_by(check, title, *min(wrong, key=lambda each: each[0].data))
        if stopped and (check.on_gpu or not judged or stopped[-1][1].kind in ENDLESS):
            self.require_end(title, stopped[0][0])
        self._require_worth(check, title, judged, [trial for trial, _ in stopped])
        if check.judge_all and (shown := check.judge_all(self, title, judged)):
            fail(shown)
        line = report.passed(title, len(judged), len(stopped), judged[0].run.backend)
        remark = check.remark(self, judged) if check.remark and not stopped else ""
        return f"{line}\n{remark}" if remark else line

    def _found(self, check: KernelCheck, trial: Trial) -> tuple[Trial, Sequence[Finding]]:
        """Return what `check` finds in a launch, or else in another order of its threads or blocks, if it is repeated,
        or with other bytes in memory that nobody has written; and where."""
        found = check.find(trial)
        if found or not check.orders or not trial.run.completed:
            return trial, found
        emulated = self.launches.trial(trial.setting.size, on_gpu=False)
        launches = self.launches
        if check.orders != "results":
            others = launches.for_counts(emulated) if check.orders == "counts" else launches.for_findings(emulated)
            return next(((other, more) for other in others if (more := check.find(other))), (trial, found))
        other = (
            launches.in_another_order(emulated)
            or launches.in_series(emulated)
            or launches.again(emulated)
            or launches.with_other_fill(emulated)
        )
        return (other, check.find(other)) if other else (trial, found)

    def _smallest(self, check: KernelCheck, trial: Trial, found: Sequence[Finding]) -> tuple[Trial, Sequence[Finding]]:
        """Return the smallest case of which `check` finds what it found in `trial`, and what it finds there."""
        kind = found[0].kind

        def find(size: Size) -> tuple[Trial, Sequence[Finding]] | None:
            try:
                smaller, there = self._found(check, self.launches.trial(size, on_gpu=check.on_gpu))
            except NotLaunchedError:
                return None
            return (smaller, there) if there and there[0].kind is kind else None

        domain = self.exercise.narrow.get(check.method, self.exercise.domain)
        return shrink(trial.setting.size, domain, find) or (trial, found)

    def _fail_by(self, check: KernelCheck, title: str, trial: Trial, found: Sequence[Finding]) -> NoReturn:
        """Fail by what was found in a case."""
        if self.tools.shrink and found[0].kind not in (*_EXPLAINED, *ENDLESS):
            trial, found = self._smallest(check, trial, found)
        self._reported = trial
        if trial.setting.order and isinstance(found[0], Mismatch):
            found = [replace(found[0], right_under=_why_only_there(trial.setting.order)), *found[1:]]
        if trial.setting.order in IN_SERIES and isinstance(found[0], StepLimit):
            found = [replace(found[0], reason="other block"), *found[1:]]
        first, answer, run, tools = found[0], self.answer, trial.run, self.tools
        self.history.failed_by(first, title)
        if tools.explain and first.kind in _EXPLAINED and not trial.setting.order:  # others start from the ordinary one
            # A barrier that does not open is shown as it is.
            launch = trial.launch.with_experiment(leave_early=False)
            run = tools.explain(launch, run, expected_outputs(trial))
        if tools.find_writer and isinstance(first, Mismatch) and not trial.setting.order:
            writer = tools.find_writer(trial.launch, run, first.output, first.flat)
            found = [replace(first, accesses=(writer,) if writer else ()), *found[1:]]
        if first.kind is Kind.MISMATCH:  # the report names what may be the reason
            run = replace(run, findings=clearest_first(run))
        fail(report.failed(title, trial.setting, found, answer.source, answer.warnings, run))

    def _require_worth(self, check: KernelCheck, title: str, judged: Sequence[Trial], stopped: Sequence[Trial]) -> None:
        """Fail if the claim holds, but only trivially."""
        right = call(self.exercise, "matches_numpy")
        expected = [trial for trial in judged if expects_results(trial)]
        if expected and not any(map(gives_results, expected)):
            # Doing nothing is free of races, too: no points for that.
            fail(report.no_results(title, judged[0].setting, right), blocked=True)
        if check.needs_shared_memory and not any(times_used("shared_memory", trial, self.tools) for trial in judged):
            fail(report.nothing_shared(title, judged[0].setting), blocked=True)
        if check.needs_no_finding and (wrong := next((trial for trial in judged if trial.run.findings), None)):
            owner = call(self.exercise, kinds()[wrong.run.findings[0].kind].check)
            fail(report.other_mistake(title, wrong.setting, owner), blocked=True)
        if check.needs_right_results and (wrong := next(filter(is_wrong, [*judged, *stopped]), None)):
            fail(report.results_not_right(title, wrong.setting, right), blocked=True)
        if check.needs_several_threads and (alone := _by_few_threads(judged)):
            fail(report.nothing_together(title, alone.setting), blocked=True)
        if check.needs_one_result and any(map(self.launches.in_another_order, judged)):
            # Accesses made atomic race no more, and are as unordered as before.
            fail(report.order_decides(title, judged[0].setting, right), blocked=True)

    def needless(self) -> Needless:
        """Return the lines whose barriers and fences no case needs; they are found once for all checks of an answer.

        Raises:
            NotLaunchedError: the answer gives a launch that cannot start.
        """
        if self.history.needless is None:
            lines = enumerate(self.answer.source.split("\n"), start=1)
            spare = [line for line, text in lines if self.exercise.stays(text)]
            self.history.needless = find_needless(self.exercise, self.launches, spare)
        return self.history.needless

    def require_answer(self, title: str) -> None:
        """Fail if nothing is written yet, or nothing that compiles."""
        name = self.exercise.name
        for magic, answer in (("cuda", self.answer), ("values", self._values)):
            if answer is not None and (line := answer.stub_line) is not None:
                fail(report.not_written(title, name, magic, line), blocked=True)
        if self.answer.errors:
            fail(report.not_compiled(title, self.answer.errors), blocked=True)

    def require_right_results(self, title: str) -> None:
        """Fail if some case, on the GPU if there is one, has a wrong result or none."""
        for size in self.exercise.sizes:
            trial = self.launches.trial(size, on_gpu=True)
            if is_wrong(trial):
                fail(report.not_right(title, trial.setting, call(self.exercise, "matches_numpy")), blocked=True)

    def require_end(self, title: str, trial: Trial) -> None:
        """Fail if a launch did not run to its end."""
        if stopper := trial.stopper:
            self._reported = trial
            shown_in = self.history.shown_in(stopper, title)
            fail(report.blocked(title, trial.setting, stopper, self.answer.source, shown_in), blocked=True)


def _why_only_there(order: str) -> Literal["order", "again", "fill"]:
    """Return why results are wrong in this order and right in the ordinary one."""
    return "again" if order in AGAIN else "fill" if order == FILL else "order"


def _by_few_threads(judged: Sequence[Trial]) -> Trial | None:
    """Return a case that shows that one thread or a few of each block do nearly all of its work; None if threads share
    it. If there is little to do, one may rightly be alone with it, so the case with most for each thread decides."""
    several = [trial for trial in judged if math.prod(trial.launch.block) > 1]
    busy = [trial for trial in several if math.prod(trial.launch.block) >= _WARP and _data_for_each(trial) >= 1]
    if busy:
        several = [max(busy, key=_data_for_each)]
    return several[0] if several and all(trial.works_alone for trial in several) else None


def _data_for_each(trial: Trial) -> float:
    """Return how many elements the arrays of a launch have for each of its threads."""
    return trial.data / trial.launch.threads


def is_wrong(trial: Trial) -> bool:
    """Return whether a launch has a wrong result, or none."""
    return not trial.run.completed or bool(find_wrong_result(trial))
