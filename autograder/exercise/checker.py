"""`check("name")`: the sentences that an exercise is judged by."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from .. import report
from ..checks.banks import find_bank_conflicts
from ..checks.barriers import find_barrier_divergence
from ..checks.bounds import find_out_of_bounds
from ..checks.coalescing import FULL_WARP_OF_WORDS, find_uncoalesced
from ..checks.initialization import find_uninitialized_reads
from ..checks.load_balance import find_unshared_work
from ..checks.races import find_races
from ..checks.speed import find_too_slow, speed_up
from ..checks.traffic import (
    find_excess_atomics,
    find_excess_barriers,
    find_excess_loads,
    find_excess_shared_loads,
    find_excess_stores,
)
from ..core.findings import Finding
from ..core.run import Counts, LineTraffic
from ..core.setting import Setting
from ..errors import GraderFault, UsageError
from ..report import Report
from .answer import KernelAnswer, ValuesAnswer
from .baseline import Speed, TimeLaunches
from .declaration import Exercise
from .judge import Explain, Judge, is_wrong
from .launches import Backend, Launches, NotLaunchedError, setting_of
from .result import Checks, Tell, print_passed
from .trial import Trial, find_wrong_result

#: Judges one case.
Find = Callable[[Trial], Sequence[Finding]]
#: How often speed is measured before it is found too slow.
ATTEMPTS = 2
_Limit = TypeVar("_Limit", int, float)


class Checker(Checks):
    """The sentences about one exercise. Each tells its results; it returns None where the answer passes, and raises
    `CheckFailed` where it does not.

    Args:
        exercise: what is asked.
        answer: the text of its `%%cuda` cell.
        emulate: runs a launch on the emulator.
        gpu: runs a launch on the GPU; None where there is none.
        values: the text of its `%%values` cell; None where it has no such cell.
        sizes: the sizes to try.
        tell: takes each result; a report comes here before it is raised.
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
        tell: Tell = print_passed,
        runs: dict[tuple[str, str], Trial] | None = None,
        time: TimeLaunches | None = None,
        time_library: TimeLaunches | None = None,
        explain: Explain | None = None,
    ) -> None:
        super().__init__(exercise.name, tell)
        self._exercise, self._answer = exercise, answer
        self._time, self._time_library = time, time_library
        self._launches = Launches(exercise, answer, values, emulate, gpu, {} if runs is None else runs)

        def judge(sizes: Sequence[Mapping[str, Any]]) -> Judge:
            return Judge(exercise, answer, values, self._launches, sizes, explain)

        self._judge_over = judge
        self._judge = judge(exercise.sizes if sizes is None else sizes)

    def _try(
        self,
        check: str,
        claim: str,
        find: Find,
        *words: str,
        **asked: Any,
    ) -> None:
        """Judge one claim over the visible sizes, and then over the hidden ones of the method `check`, if any; `words`
        are what the method was given."""
        name = "_".join([check, *words])
        self._record(name, lambda: self._judge.judge(claim, find, **asked))
        if sizes := self._exercise.hidden.for_check(check):
            self._record(name, lambda: self._judge_over(sizes).judge(claim, find, **asked), hidden=True)

    def matches_numpy(self) -> None:
        """The launch ends, and every output is what numpy says. On the GPU where there is one."""
        self._try("matches_numpy", "matches numpy", find_wrong_result, numbers=True)

    def has_no_races(self) -> None:
        """No two threads use one element, one of them writing, with nothing to order them."""
        self._try("has_no_races", "has no races", lambda trial: find_races(trial.run), together=True)

    def stays_in_bounds(self) -> None:
        """No thread touches memory outside its arrays, or misaligned."""
        self._try("stays_in_bounds", "stays in bounds", lambda trial: find_out_of_bounds(trial.run))

    def reaches_every_barrier(self) -> None:
        """Every barrier is reached by all threads that it waits for."""
        self._try(
            "reaches_every_barrier",
            "reaches every barrier",
            lambda trial: find_barrier_divergence(trial.run),
            together=True,
        )

    def reads_only_what_was_written(self) -> None:
        """No thread reads shared or local memory that nobody wrote."""
        self._try(
            "reads_only_what_was_written",
            "reads only what was written",
            lambda trial: find_uninitialized_reads(trial.run),
        )

    def is_coalesced(self, at_most: float | Callable[..., float] = FULL_WARP_OF_WORDS) -> None:
        """Global loads, and global stores, take at most `at_most` sectors a request on average (4 is
        what 32 neighboring 4-byte elements take); a function gets the size's words and returns the limit."""

        def find(trial: Trial) -> Sequence[Finding]:
            if not trial.run.completed:
                return []
            return find_uncoalesced(trial.counts, _limit(at_most, trial), trial.run.traffic)

        self._try("is_coalesced", "is coalesced", find, together=True)

    def has_no_bank_conflicts(self) -> None:
        """Every access to shared memory takes one pass over the banks; some case has one."""
        self._try(
            "has_no_bank_conflicts", "has no bank conflicts", _counted(find_bank_conflicts), shared=True, together=True
        )

    def shares_the_work(self, at_most: int | Callable[..., int]) -> None:
        """No thread of the launch uses global or shared memory more than `at_most` times, atomics included; a
        function gets the size's words and returns the limit. What gives wrong results shares nothing worth points."""

        def judge(trial: Trial) -> Sequence[Finding]:
            if not trial.run.completed or trial.run.busiest is None:
                return []
            threads = math.prod(trial.launch.grid) * math.prod(trial.launch.block)
            return find_unshared_work(trial.run.busiest, trial.counts, threads, _limit(at_most, trial))

        self._try("shares_the_work", "shares the work among its threads", judge, right=True)

    def uses(self, means: str) -> None:
        """Some thread makes use of `means`, one of `report.WANTED`, in some case. What gives wrong results, or leaves
        the work to one thread of each block, earns nothing for its means."""
        if means not in report.WANTED:
            raise GraderFault(f"uses({means!r}): the words are {', '.join(report.WANTED)}.")

        def judge(sentence: str, judged: Sequence[Trial]) -> Report | None:
            if any(self._judge.times_used(means, trial) for trial in judged):
                return None
            return report.not_used(sentence, judged[0].setting, means)

        self._try("uses", report.claim_of_use(means), _nothing, means, right=True, together=True, means=judge)

    def does_without(self, *means: str) -> None:
        """No thread makes use of any of `means`, of `report.UNWANTED`, in any case. As for `uses`, results must be
        right."""
        if unknown := [word for word in means if word not in report.UNWANTED]:
            raise GraderFault(f"does_without({unknown[0]!r}): the words are {', '.join(report.UNWANTED)}.")

        def judge(sentence: str, judged: Sequence[Trial]) -> Report | None:
            for trial in judged:
                for word in means:
                    if times := self._judge.times_used(word, trial):
                        return report.used(sentence, trial.setting, word, times)
            return None

        self._try("does_without", report.claim_of_none(means), _nothing, *means, right=True, together=True, means=judge)

    def loads_at_most(self, limit: int | Callable[..., int]) -> None:
        """All threads of the launch together make at most `limit` loads from global memory; a
        function gets the size's words and returns the limit."""
        self._try("loads_at_most", _bounded("loads from global memory", limit), _limited(find_excess_loads, limit))

    def stores_at_most(self, limit: int | Callable[..., int]) -> None:
        """As `loads_at_most`, for stores to global memory."""
        self._try("stores_at_most", _bounded("stores to global memory", limit), _limited(find_excess_stores, limit))

    def global_atomics_at_most(self, limit: int | Callable[..., int]) -> None:
        """As `loads_at_most`, for atomic operations on global memory."""
        what = "makes atomic operations on global memory"
        self._try("global_atomics_at_most", _bounded(what, limit), _limited(find_excess_atomics, limit))

    def shared_loads_at_most(self, limit: int | Callable[..., int]) -> None:
        """As `loads_at_most`, for loads from shared memory, of which some case has one. A load counts
        once whatever its width, and as it stands in the source: a compiler may merge two."""
        claim = _bounded("loads from shared memory", limit)
        self._try("shared_loads_at_most", claim, _limited(find_excess_shared_loads, limit), shared=True)

    def barriers_at_most(self, limit: int | Callable[..., int]) -> None:
        """As `loads_at_most`, for waits at `__syncthreads()`: one for each thread and barrier."""
        self._try("barriers_at_most", _bounded("waits at barriers", limit), _limited(find_excess_barriers, limit))

    def is_faster_than(self, speed: Speed) -> None:
        """The kernel is `speed.needed` times as fast as `speed.baseline`, at `speed.size`, on the GPU; where
        there is none, this says so and passes. What gives wrong results earns nothing for its speed."""
        self._record("is_faster_than", lambda: self._beat(speed))

    def _beat(self, speed: Speed) -> str:
        baseline = speed.baseline.name
        sentence = f"{self._exercise.name} is at least {speed.needed:g} times as fast as {baseline}"
        self._judge.require_answer(sentence)
        self._judge.require_right_results(sentence)
        if self._time is None or self._time_library is None:
            return report.speed_not_graded(sentence, speed.size)
        found: Sequence[Finding] = []
        for _ in range(ATTEMPTS):  # another program on the same GPU may have slowed one of the two
            own, other, setting = self._time_both(sentence, speed)
            found = find_too_slow(
                own, other, speed.needed, naive=speed.naive, good=speed.good, baseline=speed.baseline.name
            )
            if not found:
                factor = speed_up(own, other)
                return report.fast_enough(sentence, setting, factor, speed.good, len(own))
        self._judge.fail(report.failed(sentence, setting, found, self._answer.source))

    def _time_both(self, sentence: str, speed: Speed) -> tuple[list[float], list[float], Setting]:
        """Times of the answer and of the baseline, each of one launch on fresh inputs, and where. The first
        inputs only warm up: nothing that a kernel has kept of them is of any use later."""
        assert self._time and self._time_library
        try:
            cases = [self._launches.case(speed.size, draw) for draw in range(1, speed.rounds + 2)]
            launches = [self._launches.prepare(speed.size, case) for case in cases]
        except NotLaunchedError as error:
            self._judge.not_launched(sentence, error)
        baselines = [speed.baseline.prepare(case, speed.size, own) for case, own in zip(cases, launches, strict=True)]
        setting = setting_of(speed.size, launches[0])
        try:
            timed = self._time(launches, 1)
        except UsageError as error:
            self._judge.not_launched(sentence, NotLaunchedError(setting, error))
        beside = (self._time if speed.baseline.source else self._time_library)(baselines, 1)
        setting = replace(setting, backend=timed[0].run.backend)
        for case, own, other, launch, against in zip(cases, timed, beside, launches, baselines, strict=True):
            if is_wrong(Trial(case, against, setting, other.run)):
                raise GraderFault(f"The baseline {speed.baseline.name} gives a wrong result.")
            trial = Trial(case, launch, setting, own.run)
            self._judge.require_end(sentence, trial)
            if wrong := find_wrong_result(trial):
                self._judge.fail(report.failed(sentence, setting, wrong, self._answer.source))
        return [t for own in timed[1:] for t in own.times], [t for other in beside[1:] for t in other.times], setting


def _nothing(trial: Trial) -> Sequence[Finding]:
    """The judge of no case by itself."""
    return []


def _counted(find: Callable[[Counts, Sequence[LineTraffic]], Sequence[Finding]]) -> Find:
    """A judge of counts, which mean nothing where a launch was stopped."""
    return lambda trial: find(trial.counts, trial.run.traffic) if trial.run.completed else []


def _limited(find: Callable[[Counts, int], Sequence[Finding]], limit: int | Callable[..., int]) -> Find:
    def judge(trial: Trial) -> Sequence[Finding]:
        return find(trial.counts, _limit(limit, trial)) if trial.run.completed else []

    return judge


def _limit(limit: _Limit | Callable[..., _Limit], trial: Trial) -> _Limit:
    return limit(**trial.setting.size) if callable(limit) else limit


def _bounded(what: str, limit: int | Callable[..., int]) -> str:
    often = "no more often than it must" if callable(limit) else f"at most {limit} times"
    return f"{what} {often}"
