"""`check("name")`: the sentences that an exercise is judged by."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from . import report
from .answer import KernelAnswer, ValuesAnswer
from .checks.banks import find_bank_conflicts
from .checks.barriers import find_barrier_divergence
from .checks.bounds import find_out_of_bounds
from .checks.coalescing import FULL_WARP_OF_WORDS, find_uncoalesced
from .checks.initialization import find_uninitialized_reads
from .checks.means import times_used
from .checks.races import find_races
from .checks.sharing import find_unshared_work
from .checks.speed import find_too_slow, speed_up
from .checks.traffic import (
    find_excess_atomics,
    find_excess_barriers,
    find_excess_loads,
    find_excess_shared_loads,
    find_excess_stores,
)
from .errors import GraderFault, UsageError
from .exercise import Case, Exercise, Output
from .findings import Finding, Kind
from .launch import Launch, prepare
from .report import Report, Setting
from .rival import Speed, TimeLaunches
from .run import Counts, Expected, LineTraffic, Run
from .trial import ENDLESS, Trial, expected_outputs, find_wrong_result, gives_results

Backend = Callable[[Launch], Run]
#: Looks for an order of the threads in which a race of an emulated run makes an output wrong, and for what a picture
#: is drawn from.
Explain = Callable[[Launch, Run, Mapping[str, Expected]], Run]
#: The sentence that owns what stopped a launch; all others are blocked by it.
_OWNERS = {
    Kind.OUT_OF_BOUNDS: "stays_in_bounds",
    Kind.MISALIGNED_ACCESS: "stays_in_bounds",
    Kind.BARRIER_DIVERGENCE: "reaches_every_barrier",
    Kind.INVALID_WARP_MASK: "reaches_every_barrier",
    Kind.STEP_LIMIT: "matches_numpy",
    Kind.CRASH: "matches_numpy",
}
#: How often speed is measured before it is found too slow.
ATTEMPTS = 2
#: Findings of which a report has more to tell, or to show, than the run itself gives.
_EXPLAINED = (Kind.RACE, Kind.BARRIER_DIVERGENCE)
_REFUSED = (Kind.COMPILE_ERROR, Kind.FORBIDDEN_CODE)


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


class Checker:
    """The sentences about one exercise. Each prints one line and returns None where the answer
    passes, and raises `CheckFailed` (after showing its report) where it does not.

    Args:
        exercise: what is asked.
        answer: the text of its `%%cuda` cell.
        emulate: runs a launch on the emulator.
        gpu: runs a launch on the GPU; None where there is none.
        values: the text of its `%%values` cell; None where it has no such cell.
        sizes: the sizes to try.
        show: shows a report before it is raised.
        runs: what was launched before, by size and backend; new runs are added.
        time: times launches on the GPU; None where there is none.
        time_library: as `time`, for cuBLAS in the kernel's place.
        explain: gives the run of a launch that has a race a counterexample; None where no one does.
    """

    def __init__(
        self,
        exercise: Exercise,
        answer: KernelAnswer,
        emulate: Backend,
        gpu: Backend | None = None,
        values: ValuesAnswer | None = None,
        sizes: Sequence[Mapping[str, Any]] | None = None,
        show: Callable[[Report], None] = lambda report: None,
        runs: dict[tuple[str, str], Trial] | None = None,
        time: TimeLaunches | None = None,
        time_library: TimeLaunches | None = None,
        explain: Explain | None = None,
    ) -> None:
        self._exercise, self._answer = exercise, answer
        self._emulate, self._gpu = emulate, gpu
        self._values = values
        self._sizes = exercise.sizes if sizes is None else sizes
        self._show = show
        self._runs = {} if runs is None else runs
        self._time, self._time_library = time, time_library
        self._explain = explain

    def matches_numpy(self) -> None:
        """The launch ends, and every output is what numpy says. On the GPU where there is one."""
        self._judge("matches numpy", find_wrong_result, numbers=True)

    def has_no_races(self) -> None:
        """No two threads use one element, one of them writing, with nothing to order them."""
        self._judge("has no races", lambda trial: find_races(trial.run), together=True)

    def stays_in_bounds(self) -> None:
        """No thread touches memory outside its arrays, or misaligned."""
        self._judge("stays in bounds", lambda trial: find_out_of_bounds(trial.run))

    def reaches_every_barrier(self) -> None:
        """Every barrier is reached by all threads that it waits for."""
        self._judge("reaches every barrier", lambda trial: find_barrier_divergence(trial.run), together=True)

    def reads_only_what_was_written(self) -> None:
        """No thread reads shared or local memory that nobody wrote."""
        self._judge("reads only what was written", lambda trial: find_uninitialized_reads(trial.run))

    def is_coalesced(self, at_most: float = FULL_WARP_OF_WORDS) -> None:
        """Global loads, and global stores, take at most `at_most` sectors a request on average (4 is
        what 32 neighboring 4-byte elements take)."""
        find = _counted(lambda counts, traffic: find_uncoalesced(counts, at_most, traffic))
        self._judge("is coalesced", find, together=True)

    def has_no_bank_conflicts(self) -> None:
        """Every access to shared memory takes one pass over the banks; some case has one."""
        self._judge("has no bank conflicts", _counted(find_bank_conflicts), shared=True, together=True)

    def shares_the_work(self, at_most: int | Callable[..., int]) -> None:
        """No thread of the launch uses global or shared memory more than `at_most` times, atomics included; a
        function gets the size's words and returns the limit. What gives wrong results shares nothing worth points."""

        def judge(trial: Trial) -> list[Finding]:
            if not trial.run.completed or trial.run.busiest is None:
                return []
            threads = math.prod(trial.launch.grid) * math.prod(trial.launch.block)
            return find_unshared_work(trial.run.busiest, trial.counts, threads, _limit(at_most, trial))

        self._judge("shares the work among its threads", judge, right=True)

    def uses(self, means: str) -> None:
        """Some thread makes use of `means`, one of `report.WANTED`, in some case. What gives wrong results, or leaves
        the work to one thread of each block, earns nothing for its means."""
        if means not in report.WANTED:
            raise GraderFault(f"uses({means!r}): the words are {', '.join(report.WANTED)}.")

        def judge(sentence: str, judged: Sequence[Trial]) -> Report | None:
            if any(self._times_used(means, trial) for trial in judged):
                return None
            return report.not_used(sentence, judged[0].setting, means)

        self._judge(report.claim_of_use(means), _nothing, right=True, together=True, means=judge)

    def does_without(self, *means: str) -> None:
        """No thread makes use of any of `means`, of `report.UNWANTED`, in any case. As for `uses`, results must be
        right."""
        if unknown := [word for word in means if word not in report.UNWANTED]:
            raise GraderFault(f"does_without({unknown[0]!r}): the words are {', '.join(report.UNWANTED)}.")

        def judge(sentence: str, judged: Sequence[Trial]) -> Report | None:
            for trial in judged:
                for word in means:
                    if times := self._times_used(word, trial):
                        return report.used(sentence, trial.setting, word, times)
            return None

        self._judge(report.claim_of_none(means), _nothing, right=True, together=True, means=judge)

    def loads_at_most(self, limit: int | Callable[..., int]) -> None:
        """All threads of the launch together make at most `limit` loads from global memory; a
        function gets the size's words and returns the limit."""
        self._judge(_bounded("loads from global memory", limit), _limited(find_excess_loads, limit))

    def stores_at_most(self, limit: int | Callable[..., int]) -> None:
        """As `loads_at_most`, for stores to global memory."""
        self._judge(_bounded("stores to global memory", limit), _limited(find_excess_stores, limit))

    def global_atomics_at_most(self, limit: int | Callable[..., int]) -> None:
        """As `loads_at_most`, for atomic operations on global memory."""
        what = "makes atomic operations on global memory"
        self._judge(_bounded(what, limit), _limited(find_excess_atomics, limit))

    def shared_loads_at_most(self, limit: int | Callable[..., int]) -> None:
        """As `loads_at_most`, for loads from shared memory, of which some case has one. A load counts
        once whatever its width, and as it stands in the source: a compiler may merge two."""
        claim = _bounded("loads from shared memory", limit)
        self._judge(claim, _limited(find_excess_shared_loads, limit), shared=True)

    def barriers_at_most(self, limit: int | Callable[..., int]) -> None:
        """As `loads_at_most`, for waits at `__syncthreads()`: one for each thread and barrier."""
        self._judge(_bounded("waits at barriers", limit), _limited(find_excess_barriers, limit))

    def is_faster_than(self, speed: Speed) -> None:
        """The kernel is `speed.needed` times as fast as `speed.rival`, at `speed.size`, on the GPU; where
        there is none, this says so and passes. What gives wrong results earns nothing for its speed."""
        rival = speed.rival.name
        sentence = f"{self._exercise.name} is at least {speed.needed:g} times as fast as {rival}"
        self._require_answer(sentence)
        for size in self._sizes:
            trial = self._try(sentence, size, on_gpu=True)
            if _is_wrong(trial):
                self._fail(report.not_right(sentence, trial.setting, self._call("matches_numpy")), blocked=True)
        if self._time is None or self._time_library is None:
            print(report.speed_not_graded(sentence, speed.size))
            return
        found: list[Finding] = []
        for _ in range(ATTEMPTS):  # another program on the same GPU may have slowed one of the two
            own, other, setting = self._race(sentence, speed)
            found = find_too_slow(own, other, speed.needed)
            if not found:
                factor = speed_up(own, other)
                print(report.fast_enough(sentence, setting, factor, speed.good, len(own)))
                return
        published = {"rival": rival, "naive": speed.naive, "good": speed.good}
        found = [replace(finding, detail={**finding.detail, **published}) for finding in found]
        self._fail(report.failed(sentence, setting, found, self._answer.source))

    def _race(self, sentence: str, speed: Speed) -> tuple[list[float], list[float], Setting]:
        """Times of the answer and of the rival, each of one launch on fresh inputs, and where. The first
        inputs only warm up: nothing that a kernel has kept of them is of any use later."""
        assert self._time and self._time_library
        cases = [self._case(sentence, speed.size, draw) for draw in range(1, speed.rounds + 2)]
        launches = [self._prepare(sentence, speed.size, case) for case in cases]
        rivals = [speed.rival.prepare(case, speed.size, own) for case, own in zip(cases, launches, strict=True)]
        setting = Setting(speed.size, launches[0].grid, launches[0].block, launches[0].shared_mem)
        try:
            timed = self._time(launches, 1)
        except UsageError as error:
            self._fail(report.not_launched(sentence, setting, str(error)), blocked=True)
        beside = (self._time if speed.rival.source else self._time_library)(rivals, 1)
        setting = replace(setting, backend=timed[0].run.backend)
        for case, own, other, launch, against in zip(cases, timed, beside, launches, rivals, strict=True):
            if not other.run.completed or find_wrong_result(Trial(case, against, setting, other.run)):
                raise GraderFault(f"The rival {speed.rival.name} gives a wrong result.")
            trial = Trial(case, launch, setting, own.run)
            if stopper := trial.stopper:
                self._fail(report.blocked(sentence, setting, stopper, self._call(_OWNERS[stopper.kind])), blocked=True)
            if wrong := find_wrong_result(trial):
                self._fail(report.failed(sentence, setting, wrong, self._answer.source))
        return [t for own in timed[1:] for t in own.times], [t for other in beside[1:] for t in other.times], setting

    def _judge(
        self,
        claim: str,
        find: Callable[[Trial], list[Finding]],
        *,
        numbers: bool = False,
        shared: bool = False,
        together: bool = False,
        right: bool = False,
        means: Callable[[str, Sequence[Trial]], Report | None] | None = None,
    ) -> None:
        """`numbers`: on the GPU where there is one, and in every case. Any other claim needs one case
        that ran to its end with something right to show; a case that another mistake stopped is that
        mistake's, and costs its points once. `shared`: of a kernel that never uses shared memory, the claim says
        nothing. `together`: nor does it where one thread of a block does everything. `right`: nor of one whose results
        are wrong in any case. `means`: a judge of all cases together, by the sentence; None where it has nothing to
        report."""
        sentence = f"{self._exercise.name} {claim}"
        self._require_answer(sentence)
        judged = []
        stopped: list[tuple[Trial, Finding]] = []
        for size in self._sizes:
            trial = self._try(sentence, size, on_gpu=numbers)
            if found := find(trial):
                answer, run = self._answer, trial.run
                if self._explain and found[0].kind in _EXPLAINED:
                    run = self._explain(trial.launch, run, expected_outputs(trial))
                self._fail(report.failed(sentence, trial.setting, found, answer.source, answer.remarks, run))
            stopper = trial.stopper
            if stopper is None:
                judged.append(trial)
                continue
            if stopper.kind in _REFUSED:
                self._fail(report.not_compiled(sentence, [stopper], self._answer.source), blocked=True)
            stopped.append((trial, stopper))
            if stopper.kind in ENDLESS:
                break  # the next size would take as long to come to nothing
        if stopped and (numbers or not judged or stopped[-1][1].kind in ENDLESS):
            trial, stopper = stopped[0]
            self._fail(
                report.blocked(sentence, trial.setting, stopper, self._call(_OWNERS[stopper.kind])), blocked=True
            )
        if not any(map(gives_results, judged)):
            # To do nothing is free of races, too: no points for that.
            self._fail(report.no_results(sentence, judged[0].setting, self._call("matches_numpy")), blocked=True)
        if shared and not any(self._times_used("shared_memory", trial) for trial in judged):
            self._fail(report.nothing_shared(sentence, judged[0].setting), blocked=True)
        tried = [*judged, *(trial for trial, _ in stopped)]
        if right and (wrong := next(filter(_is_wrong, tried), None)):
            self._fail(report.results_not_right(sentence, wrong.setting, self._call("matches_numpy")), blocked=True)
        alone = [trial for trial in judged if trial.works_alone]
        if together and alone and not any(trial.works_together for trial in judged):
            self._fail(report.nothing_together(sentence, alone[0].setting), blocked=True)
        if means and (shown := means(sentence, judged)):
            self._fail(shown)
        print(report.passed(sentence, len(judged), len(stopped), judged[0].run.backend))

    def _times_used(self, means: str, trial: Trial) -> int:
        return times_used(means, trial.run, trial.counts, self._answer.source)

    def _call(self, sentence: str) -> str:
        return f'check("{self._exercise.name}").{sentence}()'

    def _require_answer(self, sentence: str) -> None:
        name = self._exercise.name
        for magic, answer in (("cuda", self._answer), ("values", self._values)):
            if answer is not None and (line := answer.stub_line) is not None:
                self._fail(report.not_written(sentence, name, magic, line), blocked=True)
        if self._answer.errors:
            self._fail(report.not_compiled(sentence, self._answer.errors, self._answer.source), blocked=True)

    def _try(self, sentence: str, size: Mapping[str, Any], *, on_gpu: bool) -> Trial:
        """The launch of `size`, on the GPU if that is asked for and there is one."""
        if not on_gpu or self._gpu is None:
            return self._launch(sentence, size, "emulator", self._emulate)
        if self._stands_still():  # the GPU is waited for once; the emulator stops a kernel that never ends sooner
            emulated = self._launch(sentence, size, "emulator", self._emulate)
            if not emulated.run.completed:
                return emulated
        trial = self._launch(sentence, size, "gpu", self._gpu)
        if trial.run.completed:
            return trial
        # A GPU says only that it stopped. The emulator says at which line, and why; where it sees
        # nothing wrong, the GPU's own word stands.
        emulated = self._launch(sentence, size, "emulator", self._emulate)
        return trial if emulated.run.completed else emulated

    def _stands_still(self) -> bool:
        """Whether some launch on the GPU has not come to its end in time."""
        tried = (trial for (_, where), trial in self._runs.items() if where == "gpu")
        return any(finding.kind is Kind.STEP_LIMIT for trial in tried for finding in trial.run.findings)

    def _launch(self, sentence: str, size: Mapping[str, Any], where: str, backend: Backend) -> Trial:
        key = (repr(sorted(size.items())), where)
        if key not in self._runs:
            self._runs[key] = self._start(sentence, size, self._case(sentence, size), backend)
        return self._runs[key]

    def _case(self, sentence: str, size: Mapping[str, Any], draw: int = 0) -> Case:
        try:
            words = self._values.evaluate(self._exercise.values, size) if self._values else None
        except UsageError as error:
            self._fail(report.not_launched(sentence, Setting(size), str(error)), blocked=True)
        return self._exercise.build(size, words, draw)

    def _prepare(self, sentence: str, size: Mapping[str, Any], case: Case) -> Launch:
        # A kernel's name and parameters are the student's, and so is all that follows from them. What
        # this machine lacks is a GraderFault.
        try:
            launch = prepare(
                self._answer.source,
                self._exercise.kernel,
                case.grid,
                case.block,
                case.launch_args(),
                case.shared_mem,
            )
        except UsageError as error:
            self._fail(report.not_launched(sentence, Setting(size), str(error)), blocked=True)
        asked = zip(launch.signature.parameters, case.args, strict=True)
        empty = frozenset(p.name for p, arg in asked if isinstance(arg, Output) and arg.poisoned)
        return replace(launch, empty=empty, once=True)  # each answer has a text of its own

    def _start(self, sentence: str, size: Mapping[str, Any], case: Case, backend: Backend) -> Trial:
        launch = self._prepare(sentence, size, case)
        setting = Setting(size, launch.grid, launch.block, launch.shared_mem)
        try:
            run = backend(launch)
        except UsageError as error:
            self._fail(report.not_launched(sentence, setting, str(error)), blocked=True)
        return Trial(case, launch, replace(setting, backend=run.backend), run)

    def _fail(self, shown: Report, *, blocked: bool = False) -> NoReturn:
        self._show(shown)
        raise CheckFailed(shown, blocked=blocked)


def _nothing(trial: Trial) -> list[Finding]:
    """The judge of no case by itself."""
    return []


def _is_wrong(trial: Trial) -> bool:
    return not trial.run.completed or bool(find_wrong_result(trial))


def _counted(find: Callable[[Counts, Sequence[LineTraffic]], list[Finding]]) -> Callable[[Trial], list[Finding]]:
    """A judge of counts, which mean nothing where a launch was stopped."""
    return lambda trial: find(trial.counts, trial.run.traffic) if trial.run.completed else []


def _limited(
    find: Callable[[Counts, int], list[Finding]], limit: int | Callable[..., int]
) -> Callable[[Trial], list[Finding]]:
    def judge(trial: Trial) -> list[Finding]:
        return find(trial.counts, _limit(limit, trial)) if trial.run.completed else []

    return judge


def _limit(limit: int | Callable[..., int], trial: Trial) -> int:
    return limit(**trial.setting.size) if callable(limit) else limit


def _bounded(what: str, limit: int | Callable[..., int]) -> str:
    often = "no more often than it must" if callable(limit) else f"at most {limit} times"
    return f"{what} {often}"
