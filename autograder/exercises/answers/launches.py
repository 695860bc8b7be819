"""The launches of one answer: each size on each backend, once."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from ...cuda.backends import processor_time
from ...cuda.compiler.name_errors import TemplateError
from ...cuda.core.findings import BarrierDivergence, Kind, StepLimit
from ...cuda.core.launch import IN_SERIES, Launch, check_shape
from ...cuda.core.races import find_races
from ...cuda.core.run import Run
from ...cuda.core.setting import Setting, Size
from ...cuda.core.signature import MisfitError, type_name
from ...cuda.errors import UsageError
from ...cuda.kernel import Kernel
from .. import report
from ..declarations.declaration import Case, Exercise, Output
from ..declarations.domain import words_of
from .answer import KernelAnswer, ValuesAnswer
from .tools import Backend, Sweep, Tools
from .trial import Trial, find_wrong_result

#: Orders of the threads that are tried besides the ordinary one, where they could matter.
ORDERS = ("backward", "lockstep", "turns", "random:1")
#: Repeat the launch in the default order, without resetting device variables.
AGAIN = ("second", "third", "fourth")
#: Nor this, but with other bytes in memory that nobody has written.
FILL = "fill"
#: What CUDA C++ calls Python's numbers.
_NUMBERS = {bool: "bool", int: "int", float: "float"}
#: How many of the small launches that were stopped are looked at: what is wrong with one may be another check's matter.
_FEW = 3
#: Why a launch in which a block waits in vain is stopped.
_WAITS = ("spin", "steps")


class NotLaunchedError(UsageError):
    """The student's kernel or values give a launch that cannot start; `setting` says which."""

    def __init__(self, setting: Setting, why: UsageError) -> None:
        super().__init__(str(why))
        self.setting = setting


class Launches:
    """The launches of one answer to an exercise. All methods raise `NotLaunchedError` if it cannot be launched, or if
    earlier ones have used up the processor time that it may take.

    Args:
        exercise: the exercise.
        answer: the text of its `%%cuda` cell.
        values: the text of its `%%values` cell; None if it has no such cell.
        tools: they run a launch.
        done: what was launched before, by size and backend; new trials are added.
        reordered: the same in other orders of the threads, by size and order, and launched again.
    """

    def __init__(
        self,
        exercise: Exercise,
        answer: KernelAnswer,
        values: ValuesAnswer | None,
        tools: Tools,
        done: dict[tuple[str, str], Trial],
        reordered: dict[tuple[str, str], Trial],
    ) -> None:
        self._exercise, self._answer, self._values = exercise, answer, values
        self._tools, self._done, self._reordered = tools, done, reordered

    def trial(self, size: Size, *, on_gpu: bool) -> Trial:
        """Return the launch of `size`, on the GPU if `on_gpu` and there is one."""
        if not on_gpu or self._tools.gpu is None:
            return self._launched(size, "emulator", self._tools.emulate)
        if self._stands_still():  # wait for the GPU only once: the emulator is quicker to stop an endless kernel
            emulated = self._launched(size, "emulator", self._tools.emulate)
            if not emulated.run.completed:
                return emulated
        trial = self._launched(size, "gpu", self._tools.gpu)
        if trial.run.completed:
            return trial
        # A GPU says only that it stopped. The emulator says at which line, and why; if it finds
        # nothing wrong, the GPU's error stands.
        emulated = self._launched(size, "emulator", self._tools.emulate)
        return trial if emulated.run.completed else emulated

    def in_another_order(self, trial: Trial) -> Trial | None:
        """Return the launch of `trial` in an order of its threads in which its results are wrong or missing though they
        are right in `trial`, or the other way around; None if no order that is tried makes a difference."""
        right = not find_wrong_result(trial)
        return next((other for other in self._in_other_orders(trial) if bool(find_wrong_result(other)) is right), None)

    def _in_other_orders(self, trial: Trial, orders: Sequence[str] = ORDERS) -> Iterator[Trial]:
        """Yield the launch of `trial` in each other order, only where that could matter: barriers leave none to choose,
        atomic operations and questions about the lanes of a warp do. (Of a race, its own report tells.)"""
        counts = trial.run.counts
        if self._tools.reorder is None or not counts or not counts.atomics + counts.votes or find_races(trial.run):
            return
        for order in orders:
            yield self._once_more(trial, order, partial(self._tools.reorder, trial.launch, order))

    def again(self, trial: Trial) -> Trial | None:
        """Return a further launch of `trial` in a row, if its results are wrong though those of the first are right."""
        if find_wrong_result(trial):
            return None
        return next(filter(find_wrong_result, self._again(trial)), None)

    def _again(self, trial: Trial) -> Iterator[Trial]:
        """Further launches of `trial` in a row: what a kernel leaves in its variables marked `__device__`, the next
        launch finds there. There are as many of them as find something new there, up to four launches in all."""
        last, found = trial, [trial.run.symbols]
        for number in AGAIN if trial.run.symbols else ():
            launch = replace(trial.launch, symbols=last.run.symbols)
            last = self._once_more(trial, number, partial(self._tools.emulate, launch))
            yield last
            if last.run.symbols in found:
                return
            found.append(last.run.symbols)

    def with_other_fill(self, trial: Trial) -> Trial | None:
        """Return the launch of `trial` with other bytes in memory that nobody has written, if its results are wrong
        then though they are right in `trial`."""
        if find_wrong_result(trial):
            return None
        return next(filter(find_wrong_result, self._with_other_fill(trial)), None)

    def _with_other_fill(self, trial: Trial) -> Iterator[Trial]:
        """No text can know these bytes: they depend on it, and on the size."""
        if not trial.run.saw_uninitialized:
            return
        seed = hashlib.blake2b(repr((trial.launch.source, trial.setting.size)).encode(), digest_size=8).digest()
        launch = trial.launch.with_experiment(uninitialized_fill=int.from_bytes(seed) or 1)
        yield self._once_more(trial, FILL, partial(self._tools.emulate, launch))

    def in_series(self, trial: Trial) -> Trial | None:
        """Return the launch of `trial`, one block after the other, if it does not end then, or with wrong results: a
        block waits for one that has not begun, of which CUDA promises nothing."""
        for other in self._in_series(trial):
            stopper = other.stopper
            waits = isinstance(stopper, StepLimit) and stopper.reason in _WAITS
            if waits or (not stopper and find_wrong_result(other)):
                return other
        return None

    def _in_series(self, trial: Trial) -> Iterator[Trial]:
        """Only atomic operations can wait without a race."""
        run, reorder = trial.run, self._tools.reorder
        blocks = math.prod(trial.launch.grid)
        if reorder is None or not run.counts or not run.counts.atomics or not run.completed or blocks == 1:
            return
        for order in IN_SERIES:
            yield self._once_more(trial, order, partial(reorder, trial.launch, order))

    def for_counts(self, trial: Trial) -> Iterator[Trial]:
        """Yield the launch of `trial` in the orders in which its counts have to be as low: the last thread first, and
        one block after the other. (In the others, threads compete for a place, and repeat what they rightly repeat.)"""
        yield from self._in_other_orders(trial, ORDERS[:1])
        yield from self._in_series(trial)

    def for_findings(self, trial: Trial) -> Iterator[Trial]:
        """Yield the launch of `trial` in all ways in which its results are tried: what a thread does may depend on
        them."""
        yield from self._in_other_orders(trial)
        yield from self._in_series(trial)
        yield from self._again(trial)
        yield from self._with_other_fill(trial)

    def _once_more(self, trial: Trial, how: str, launch: Callable[[], Run]) -> Trial:
        """`trial`, launched once more; `how` tells from other times."""
        key = (repr(sorted(trial.setting.size.items())), how)
        if key not in self._reordered:
            run = _in_time(trial.setting, launch)
            setting = replace(trial.setting, backend=run.backend, order=how)
            self._reordered[key] = replace(trial, run=run, setting=setting)
        return self._reordered[key]

    def wrong_of(self, sizes: Iterable[Size], sweep: Sweep) -> tuple[Size, ...]:
        """Of many small sizes, a few of those whose launch cannot start, is stopped or has wrong results on the
        emulator: the smallest."""
        tried: list[Trial] = []
        refused: list[Size] = []

        def launches() -> Iterator[Launch]:
            for size in sizes:
                try:
                    case = self.case(size)
                    launch = self.prepare(size, case).with_experiment(leave_early=True)
                except NotLaunchedError:
                    refused.append(size)
                    continue
                tried.append(Trial(case, launch, setting_of(self._exercise, size, launch), Run((), completed=False)))
                yield launch

        runs = sweep(launches())
        done = [replace(trial, run=run) for trial, run in zip(tried, runs, strict=False) if run]
        done.sort(key=lambda trial: trial.data)
        stopped = [trial.setting.size for trial in done if not trial.run.completed]
        wrong = [trial.setting.size for trial in done if trial.run.completed and find_wrong_result(trial)]
        return *refused[:1], *stopped[:_FEW], *wrong[:1]

    def gets_along_with(self, trial: Trial, **fewer: Any) -> bool:
        """Whether `trial`'s launch, with `fewer` resources, still gives right results on the emulator, and leaves no
        thread with more to do."""
        run = self._emulated(trial, replace(trial.launch, **fewer))
        if run.maximum_work is None or trial.run.maximum_work is None:
            return False
        more = run.maximum_work.uses > trial.run.maximum_work.uses
        return run.completed and not more and not find_wrong_result(replace(trial, run=run))

    def gets_along_without(self, trial: Trial, lines: Collection[int]) -> bool:
        """Return whether `trial`'s launch, without the barriers and fences of `lines`, has right results and no finding
        on the emulator, in each order of its threads where that could matter."""
        ignored, reorder = frozenset(lines), self._tools.reorder
        orders = (*ORDERS, *IN_SERIES) if trial.counts.atomics + trial.counts.votes else ()
        if orders and reorder is None:
            return False
        launch = trial.launch.with_experiment(ignored=ignored)
        reordered = (_in_time(trial.setting, partial(reorder, launch, order)) for order in orders if reorder)
        return all(
            run.completed
            and not run.findings
            and run.symbols == trial.run.symbols
            and not find_wrong_result(replace(trial, run=run))
            for run in chain([self._emulated(trial, launch)], reordered)
        )

    def without(self, trial: Trial, ablation: str, *, mixed_up: bool = False) -> Run:
        """The launch of `trial` once more, on the emulator, with something suppressed or mixed up: see `Experiment`."""
        return self._emulated(trial, trial.launch.with_experiment(ablation=ablation, mixed_up=mixed_up))

    def changed(self, trial: Trial, ablation: str, *, replays: bool) -> Trial:
        """`trial` with one element of each array changed, launched on the emulator with something suppressed or,
        if `replays`, with what threads found there in the launch of `trial`: see `Experiment`."""
        case = self.case(trial.setting.size, changed=True)
        args = self.prepare(trial.setting.size, case).args
        replayed = trial.launch.arrays if replays else ()
        launch = replace(trial.launch, args=args).with_experiment(ablation=ablation, replayed=replayed)
        return Trial(case, launch, trial.setting, self._emulated(trial, launch))

    def _emulated(self, trial: Trial, launch: Launch) -> Run:
        """Run `launch`, a changed one of `trial`, on the emulator."""
        return _in_time(trial.setting, partial(self._tools.emulate, launch))

    def case(self, size: Size, draw: int = 0, *, changed: bool = False) -> Case:
        """Return the case to launch for `size`; each `draw` has inputs of its own, and so has one with an element
        `changed` in each array."""
        try:
            words = self._values.evaluate(self._exercise.values, words_of(size)) if self._values else None
        except UsageError as error:
            raise NotLaunchedError(Setting(size, exercise=self._exercise.name), error) from error
        return self._exercise.build(size, words, draw, changed=changed)

    def check_values(self, size: Size) -> None:
        """Check that the launch which the answer's values give for `size` can start, without making its inputs.

        Raises:
            NotLaunchedError: it cannot.
        """
        if not self._values:
            return
        try:
            words: Mapping[str, Any] = self._values.evaluate(self._exercise.values, words_of(size))
            check_shape(words.get("grid", 1), words.get("block", 1), words.get("shared_mem", 0))
        except UsageError as error:
            raise NotLaunchedError(Setting(size, exercise=self._exercise.name), error) from error

    def prepare(self, size: Size, case: Case) -> Launch:
        """Return the launch of a case of `size`."""
        # A kernel's name and parameters are the student's, and so are mistakes in them. What this
        # machine lacks is a GraderFault.
        try:
            kernel = Kernel(self._answer.source, self._exercise.kernel)
            launch = kernel.prepare(case.grid, case.block, case.launch_args(), case.shared_mem)
        except UsageError as error:
            raise NotLaunchedError(Setting(size, exercise=self._exercise.name), _for_student(error)) from error
        given = zip(launch.signature.parameters, case.args, strict=not launch.refusal)
        empty = frozenset(p.name for p, arg in given if isinstance(arg, Output) and arg.poisoned)
        launch = replace(launch, cooperative=False, same_rounds=self._exercise.same_rounds)
        return replace(launch, empty=empty, once=True, keeps_symbols=True)  # each answer has its own text

    def _stands_still(self) -> bool:
        """Return whether some launch on the GPU did not end in time."""
        tried = (trial for (_, where), trial in self._done.items() if where == "gpu")
        return any(finding.kind is Kind.STEP_LIMIT for trial in tried for finding in trial.run.findings)

    def _launched(self, size: Size, where: str, backend: Backend) -> Trial:
        key = (repr(sorted(size.items())), where)
        if key not in self._done:
            case = self.case(size)
            launch = self.prepare(size, case)
            setting = setting_of(self._exercise, size, launch)
            try:
                run = _in_time(setting, partial(backend, launch))
                if ended := _ended_early(run):
                    # CUDA lets threads end before a barrier: what the others do is judged, too.
                    launch = launch.with_experiment(leave_early=True)
                    run = _in_time(setting, partial(backend, launch))
                    run = replace(run, findings=(ended, *run.findings))
            except UsageError as error:
                raise NotLaunchedError(setting, error) from error
            self._done[key] = Trial(case, launch, replace(setting, backend=run.backend), run)
        return self._done[key]


def _in_time(setting: Setting, launch: Callable[[], Run]) -> Run:
    if processor_time.is_used_up():
        raise NotLaunchedError(setting, UsageError(report.USED_UP))
    return launch()


def _ended_early(run: Run) -> BarrierDivergence | None:
    """Return the barrier of a block that did not open only because threads had ended; None if that did not stop the
    run."""
    last = run.findings[-1] if run.findings and not run.completed else None
    if isinstance(last, BarrierDivergence) and last.scope == "block" and last.exited and len(last.waiting) == 1:
        return last
    return None


def _for_student(error: UsageError) -> UsageError:
    """Why the exercise's launch does not go with the kernel: the launch is given, so the kernel has to change."""
    if isinstance(error, MisfitError):
        given = error.given
        name = type_name(given.dtype) if isinstance(given, np.ndarray | np.generic) else _NUMBERS.get(type(given), "")
        return UsageError(report.misfit(error.parameter, name, is_array=isinstance(given, np.ndarray)))
    if isinstance(error, TemplateError):
        return UsageError(report.is_template(error.kernel))
    return error


def setting_of(exercise: Exercise, size: Size, launch: Launch) -> Setting:
    """Return a launch's setting for reports; the backend is not known yet."""
    return Setting(size, launch.grid, launch.block, launch.shared_mem, exercise=exercise.name)
