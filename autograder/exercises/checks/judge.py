"""Judge one check of an answer over all sizes, and name the other check whose failure stops it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NoReturn

from ...cuda.compiler.branching import count_branches
from ...cuda.compiler.local_memory import count_local_arrays
from ...cuda.core.findings import Finding, Kind, Mismatch, StepLimit
from ...cuda.core.launch import IN_SERIES
from ...cuda.core.races import clearest_first
from ...cuda.core.setting import Size
from ...cuda.report import Report
from ...cuda.report.kinds import kinds
from .. import report
from ..answers.answer import KernelAnswer, ValuesAnswer
from ..answers.launches import AGAIN, LEFTOVERS, Launches, NotLaunchedError
from ..answers.shrink import shrink
from ..answers.tools import Tools
from ..answers.trial import ENDLESS, Trial, asks_for_results, expected_outputs, find_wrong_result, gives_results
from ..declarations.declaration import Exercise
from ..declarations.small_sizes import small_sizes
from ..result import CheckFailed
from .check import Check
from .constructs import times_used
from .history import History

#: Findings about which a report has more to say, or to show, than the run itself gives.
_EXPLAINED = (Kind.RACE, Kind.BARRIER_DIVERGENCE)
_REFUSED = (Kind.COMPILE_ERROR, Kind.FORBIDDEN_CODE)
_WARP = 32
#: The constructs that only a trace shows, not what a run counts.
EARLY_LOADS, LATE_LOADS, LOADS_AHEAD = "early_loads", "late_loads", "loads_ahead"
#: Those that the compiled text shows.
BRANCHES, LOCAL_ARRAYS = "if_in_a_loop", "local_arrays"


class Judge:
    """Judges checks of one answer: returns one line if it passes, and raises `CheckFailed` if not.

    Args:
        exercise: the exercise.
        answer: the text of its `%%cuda` cell.
        values: the text of its `%%values` cell; None if it has no such cell.
        launches: the launches of the answer.
        tools: gives the run of a launch that has a race a counterexample.
        sizes: the sizes to try.
        history: says which mistakes reports have shown before.
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
        self._exercise, self._answer, self._values = exercise, answer, values
        self._launches, self._tools, self._sizes, self._history = launches, tools, sizes, history
        self._told: Trial | None = None

    def judge(self, check: Check) -> str:
        """Judge `check` by what it finds in each case, and then in all; return the line that says it passed. Show first
        what a case prints, once: the one that fails, or the smallest."""
        title = self.title(check.claim)
        self.require_answer(title)
        try:
            line = self._judge(check, title, self._sizes)
            if check.in_small_sizes and (small := self._small_that_fail(check)):
                self._judge(check, title, (*self._sizes, *small))
            return line
        except NotLaunchedError as error:
            self.not_launched(title, error)
        finally:
            self._show_printed(title)

    def _show_printed(self, title: str) -> None:
        trials = [trial for trial in self._history.trials.values() if trial.setting.size in self._sizes]
        told = self._told if self._told and self._told.run.printed else None
        printed = [trial for trial in trials if trial.run.printed]
        if self._tools.show_printed and (told or printed) and self._history.prints_in(title):
            shown = told or min(printed, key=lambda trial: trial.data)
            self._tools.show_printed(report.printed(shown.setting, shown.run.printed))

    def _small_that_fail(self, check: Check) -> Sequence[Size]:
        """Small sizes in which something is wrong, this check's matter or not; none where the others have shown that
        already."""
        if self._tools.sweep is None or not self._exercise.domain:
            return ()
        if self._history.small is None:
            if any(is_wrong(self._launches.trial(size, on_gpu=check.on_gpu)) for size in self._sizes):
                return ()
            sizes = small_sizes(self._exercise.name, self._exercise.domain)
            self._history.small = self._launches.wrong_of(sizes, self._tools.sweep)
        return self._history.small

    def _judge(self, check: Check, title: str, sizes: Sequence[Size]) -> str:
        judged = []
        stopped: list[tuple[Trial, Finding]] = []
        wrong: list[tuple[Trial, Sequence[Finding]]] = []
        for size in sizes:
            try:
                trial = self._launches.trial(size, on_gpu=check.on_gpu)
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
        if check.judge_all and (shown := check.judge_all(title, judged)):
            self.fail(shown)
        line = report.passed(title, len(judged), len(stopped), judged[0].run.backend)
        remark = check.remark(judged) if check.remark and not stopped else ""
        return f"{line}\n{remark}" if remark else line

    def _found(self, check: Check, trial: Trial) -> tuple[Trial, Sequence[Finding]]:
        """What `check` finds in a launch, or else in another order of its threads or blocks, if it is repeated, or with
        other bytes in memory that nobody has written; and where."""
        found = check.find(trial)
        if found or not check.orders or not trial.run.completed:
            return trial, found
        emulated = self._launches.trial(trial.setting.size, on_gpu=False)
        launches = self._launches
        if check.orders != "results":
            others = launches.for_counts(emulated) if check.orders == "counts" else launches.for_findings(emulated)
            return next(((other, more) for other in others if (more := check.find(other))), (trial, found))
        other = (
            launches.in_another_order(emulated)
            or launches.in_series(emulated)
            or launches.again(emulated)
            or launches.with_other_leftovers(emulated)
        )
        return (other, check.find(other)) if other else (trial, found)

    def _smallest(self, check: Check, trial: Trial, found: Sequence[Finding]) -> tuple[Trial, Sequence[Finding]]:
        """The smallest case of which `check` finds what it found in `trial`, and what it finds there."""
        kind = found[0].kind

        def find(size: Size) -> tuple[Trial, Sequence[Finding]] | None:
            try:
                smaller, there = self._found(check, self._launches.trial(size, on_gpu=check.on_gpu))
            except NotLaunchedError:
                return None
            return (smaller, there) if there and there[0].kind is kind else None

        domain = self._exercise.narrow.get(check.method, self._exercise.domain)
        return shrink(trial.setting.size, domain, find) or (trial, found)

    def _fail_by(self, check: Check, title: str, trial: Trial, found: Sequence[Finding]) -> NoReturn:
        """Fail by what was found in a case."""
        if self._tools.shrink and found[0].kind not in (*_EXPLAINED, *ENDLESS):
            trial, found = self._smallest(check, trial, found)
        self._told = trial
        if trial.setting.order and isinstance(found[0], Mismatch):
            found = [replace(found[0], right_elsewhere=_right_elsewhere(trial.setting.order)), *found[1:]]
        if trial.setting.order in IN_SERIES and isinstance(found[0], StepLimit):
            found = [replace(found[0], reason="other block"), *found[1:]]
        first, answer, run, tools = found[0], self._answer, trial.run, self._tools
        self._history.failed_by(first, title)
        if tools.explain and first.kind in _EXPLAINED and not trial.setting.order:  # others start from the ordinary one
            launch = replace(trial.launch, leave_early=False)  # a barrier that does not open is shown as it stands
            run = tools.explain(launch, run, expected_outputs(trial))
        if tools.find_writer and isinstance(first, Mismatch) and not trial.setting.order:
            writer = tools.find_writer(trial.launch, run, first.output, first.flat)
            found = [replace(first, accesses=(writer,) if writer else ()), *found[1:]]
        if first.kind is Kind.MISMATCH:  # the report names what may be the reason
            run = replace(run, findings=clearest_first(run))
        self.fail(report.failed(title, trial.setting, found, answer.source, answer.warnings, run))

    def _require_worth(self, check: Check, title: str, judged: Sequence[Trial], stopped: Sequence[Trial]) -> None:
        """Fail if the claim holds, but only trivially."""
        right = self.call("matches_numpy")
        asked = [trial for trial in judged if asks_for_results(trial)]
        if asked and not any(map(gives_results, asked)):
            # Doing nothing is free of races, too: no points for that.
            self.fail(report.no_results(title, judged[0].setting, right), blocked=True)
        if check.needs_shared_memory and not any(self.times_used("shared_memory", trial) for trial in judged):
            self.fail(report.nothing_shared(title, judged[0].setting), blocked=True)
        if check.needs_no_finding and (wrong := next((trial for trial in judged if trial.run.findings), None)):
            owner = self.call(kinds()[wrong.run.findings[0].kind].check)
            self.fail(report.other_mistake(title, wrong.setting, owner), blocked=True)
        if check.needs_right_results and (wrong := next(filter(is_wrong, [*judged, *stopped]), None)):
            self.fail(report.results_not_right(title, wrong.setting, right), blocked=True)
        if check.needs_several_threads and (alone := _by_few_threads(judged)):
            self.fail(report.nothing_together(title, alone.setting), blocked=True)
        if check.needs_one_result and any(map(self._launches.in_another_order, judged)):
            # Accesses made atomic race no more, and are as unordered as before.
            self.fail(report.order_decides(title, judged[0].setting, right), blocked=True)

    def title(self, claim: str) -> str:
        """The title of a report: the exercise, and the claim about it."""
        return f"{self._exercise.name} {claim}"

    def times_used(self, construct: str, trial: Trial) -> int:
        """How often the threads of a launch use `construct`; of early loads, 0 unless at least half of them are."""
        if construct in (EARLY_LOADS, LATE_LOADS):
            found = self._tools.find_early(trial.launch, trial.run) if self._tools.find_early else None
            early, late, loads = found or (0, 0, 0)
            if construct == LATE_LOADS:
                return late
            return early if 2 * early >= loads else 0
        if construct == LOADS_AHEAD:
            return self._tools.find_ahead(trial.launch, trial.run) if self._tools.find_ahead else 0
        if construct == BRANCHES:
            return count_branches(trial.launch.source, trial.launch.name)
        if construct == LOCAL_ARRAYS:
            return count_local_arrays(trial.launch.source, trial.launch.name)
        return times_used(construct, trial.run, trial.counts)

    def call(self, check: str) -> str:
        """What a student writes to ask for another check."""
        return f'check("{self._exercise.name}").{check}()'

    def require_answer(self, title: str) -> None:
        """Fail if nothing is written yet, or nothing that compiles."""
        name = self._exercise.name
        for magic, answer in (("cuda", self._answer), ("values", self._values)):
            if answer is not None and (line := answer.stub_line) is not None:
                self.fail(report.not_written(title, name, magic, line), blocked=True)
        if self._answer.errors:
            self.fail(report.not_compiled(title, self._answer.errors), blocked=True)

    def require_right_results(self, title: str) -> None:
        """Fail if some case, on the GPU if there is one, has a wrong result or none."""
        for size in self._sizes:
            trial = self._trial(title, size, on_gpu=True)
            if is_wrong(trial):
                self.fail(report.not_right(title, trial.setting, self.call("matches_numpy")), blocked=True)

    def require_end(self, title: str, trial: Trial) -> None:
        """Fail if a launch did not run to its end."""
        if stopper := trial.stopper:
            self._told = trial
            shown_in = self._history.shown_in(stopper, title)
            self.fail(report.blocked(title, trial.setting, stopper, self._answer.source, shown_in), blocked=True)

    def fail(self, shown: Report, *, blocked: bool = False) -> NoReturn:
        """End the check with a report."""
        raise CheckFailed(shown, blocked=blocked)

    def not_launched(self, title: str, error: NotLaunchedError) -> NoReturn:
        """Fail: the answer gives a launch that cannot start."""
        self.fail(report.not_launched(title, error.setting, str(error)), blocked=True)

    def _trial(self, title: str, size: Size, *, on_gpu: bool) -> Trial:
        try:
            return self._launches.trial(size, on_gpu=on_gpu)
        except NotLaunchedError as error:
            self.not_launched(title, error)


def _right_elsewhere(order: str) -> Literal["order", "again", "leftovers"]:
    """What is the matter where results are wrong in this order, and right in the ordinary one."""
    return "again" if order in AGAIN else "leftovers" if order == LEFTOVERS else "order"


def _by_few_threads(judged: Sequence[Trial]) -> Trial | None:
    """A case that shows that one thread or a few of each block do nearly all of its work; None if threads share it.
    Where there is little to do, one may rightly be alone with it, so the case with most for each thread decides."""
    several = [trial for trial in judged if math.prod(trial.launch.block) > 1]
    telling = [trial for trial in several if math.prod(trial.launch.block) >= _WARP and _data_for_each(trial) >= 1]
    if telling:
        several = [max(telling, key=_data_for_each)]
    return several[0] if several and all(trial.works_alone for trial in several) else None


def _data_for_each(trial: Trial) -> float:
    """How many elements the arrays of a launch have for each of its threads."""
    return trial.data / trial.launch.threads


def is_wrong(trial: Trial) -> bool:
    """Whether a launch has a wrong result, or none."""
    return not trial.run.completed or bool(find_wrong_result(trial))
