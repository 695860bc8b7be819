"""`check("name")`: the checks of an exercise."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ...cuda.core.findings import Finding
from ...cuda.core.launch import Series
from ...cuda.core.races import find_races
from ...cuda.core.setting import Setting, Size
from ...cuda.errors import GraderFault, UsageError
from ...cuda.report import Report
from ...cuda.report.kinds import kinds
from .. import report
from ..answers.answer import KernelAnswer, ValuesAnswer
from ..answers.given import first_change
from ..answers.launches import Launches, NotLaunchedError, setting_of
from ..answers.tools import TimeLaunches, Tools
from ..answers.trial import Trial, find_wrong_result
from ..declarations.baseline import Speed
from ..declarations.declaration import Exercise
from ..declarations.domain import words_of
from ..result import Checks
from .banks import find_bank_conflicts
from .check import Check
from .coalescing import FULL_WARP_OF_WORDS, find_uncoalesced
from .history import History
from .judge import Judge, is_wrong
from .needless import Needless, find_needless
from .speed import find_too_slow, speed_up
from .traffic import find_excess, find_excess_atomics
from .unneeded import find_unneeded
from .unshared import Share, find_unshared
from .unused import find_unused

#: Returns what contradicts a check in one case.
Find = Callable[[Trial], Sequence[Finding]]
#: How often speed is measured before it is found too slow.
ATTEMPTS = 2
_Limit = TypeVar("_Limit", int, float)


class Checker(Checks):
    """The checks of one exercise. Each reports its results; it returns None if the answer passes, and raises
    `CheckFailed` if not.

    Args:
        exercise: the exercise.
        answer: the text of its `%%cuda` cell.
        tools: what the machine offers.
        values: the text of its `%%values` cell; None if it has no such cell.
        history: what the answer's checks have seen before; new launches are added.
    """

    def __init__(
        self,
        exercise: Exercise,
        answer: KernelAnswer,
        tools: Tools,
        values: ValuesAnswer | None = None,
        history: History | None = None,
    ) -> None:
        super().__init__(exercise.name, tools.tell)
        self._exercise, self._answer = exercise, answer
        history = history or History()
        self._launches = Launches(exercise, answer, values, tools, history.trials, history.reordered)

        def judge(sizes: Sequence[Size], tools: Tools, history: History) -> Judge:
            return Judge(exercise, answer, values, self._launches, tools, sizes, history)

        self._judge_over = judge
        self._judge = judge(exercise.sizes, tools, history)
        self._tools, self._history = tools, history

    def _try(self, check: Check) -> None:
        """Judge `check` over the visible sizes, and then over its hidden ones, if any."""
        title = self._judge.title(check.claim)
        shown = self._judge_over(self._exercise.visible.for_check(check.method), self._tools, self._history)
        self._record(check.name, title, lambda: shown.judge(check))
        if sizes := self._exercise.hidden.for_check(check.method):
            # Students see nothing of these: neither does a report point there, nor is shown what they print.
            hidden = self._judge_over(
                sizes, replace(self._tools, show_printed=None, sweep=None, shrink=False), History()
            )
            silent = replace(check, remark=None)
            self._record(check.name, title, lambda: hidden.judge(silent), hidden=True)

    def matches_numpy(self) -> None:
        """The launch ends, and every output is what numpy computes, in any order of the threads. Runs on the GPU if
        there is one. If all are right, many small sizes are tried, too."""
        needs = {"on_gpu": True, "orders": "results", "in_small_sizes": True}
        self._try(_check("matches_numpy", find_wrong_result, **needs))

    def has_no_races(self) -> None:
        """No two threads access the same element, at least one of them writing, with nothing to order them. Not judged
        where atomic operations leave the result to the order of the threads. Where it is graded and all
        results are right, it says which barriers and fences no case needs; that costs no points."""
        needs = {"needs_several_threads": True, "needs_one_result": True, "remark": self._remark_on_needless}
        self._try(_check("has_no_races", lambda trial: find_races(trial.run), orders="findings", **needs))

    def _remark_on_needless(self, judged: Sequence[Trial]) -> str:
        if not self._exercise.hidden.others:  # nobody grades, and whoever changes a kernel need not wait for it
            return ""
        if not judged[0].run.sync_calls:
            return ""
        try:
            found = self._find_needless()
        except NotLaunchedError:  # in a case that the check has not come to
            return ""
        return report.needless(found.together, found.instead, found.fences)

    def _find_needless(self) -> Needless:
        if self._history.needless is None:
            lines = enumerate(self._answer.source.split("\n"), start=1)
            spare = [line for line, text in lines if self._exercise.stays(text)]
            self._history.needless = find_needless(self._exercise, self._launches, spare)
        return self._history.needless

    def has_no_needless_barriers(self, *, given: str = "", adds: Sequence[str] = ()) -> None:
        """Some case needs each line with a barrier, a `__syncwarp()` or a fence: without it, it has a race, another
        mistake, or a wrong result. Lines that the exercise's `spare` names stay, and so do fences of which this is not
        known (`needless.py`). Blocked while a launch has a mistake, or a wrong result. A line with two of them
        fails, and so does a kernel that is not the one that was `given`, if any, but for the pieces that it `adds`."""

        def judge(title: str, judged: Sequence[Trial]) -> Report | None:
            source, exercise = self._answer.source, self._exercise.name
            if given and (change := first_change(given, source, adds)):
                return report.not_kept(title, given, source, *change)
            on_lines = Counter[int]()
            for call in judged[0].run.sync_calls:
                on_lines[call.line] += call.calls
            if crowded := [line for line, calls in on_lines.items() if calls > 1]:
                return report.several_on_a_line(title, crowded[0], source)
            found = self._find_needless()
            if not found.together:
                return None
            return report.needless_line(title, found.together, found.instead, found.fences, source, exercise)

        check = Check("has_no_needless_barriers", report.claim("has_no_needless_barriers"), judge_all=judge)
        check = replace(check, needs_no_finding=True, needs_right_results=True)
        self._try(replace(check, needs_several_threads=True, needs_one_result=True))

    def stays_in_bounds(self) -> None:
        """No thread accesses memory outside its arrays, or misaligned, in small sizes, too."""
        self._try(_check_of_run("stays_in_bounds", in_small_sizes=True))

    def reaches_every_barrier(self) -> None:
        """All threads that a barrier waits for reach it."""
        self._try(_check_of_run("reaches_every_barrier", needs_several_threads=True))

    def reads_only_what_was_written(self) -> None:
        """No thread reads shared or local memory that nobody wrote."""
        self._try(_check_of_run("reads_only_what_was_written"))

    def is_coalesced(
        self, at_most: float | Callable[..., float] = FULL_WARP_OF_WORDS, atomics: Callable[..., int] | None = None
    ) -> None:
        """Global loads, global stores, and global atomics, each together move no more sectors than the threads need for
        what they access: at most `at_most` for each 32 elements of 4 bytes (32 neighbors take 4, and one more if they
        begin within a sector), and a sixteenth more. A function gets the size's words and returns the limit. Where the
        data decide what atomics access, `atomics` returns how many sectors these may move."""

        def find(trial: Trial) -> Sequence[Finding]:
            scattered = None if atomics is None else _limit(atomics, trial)
            return find_uncoalesced(trial.counts, _limit(at_most, trial), trial.run.traffic, scattered)

        self._try(_check("is_coalesced", _where_counted(find), needs_several_threads=True))

    def has_no_bank_conflicts(self, *, exactly: bool = False) -> None:
        """Accesses of shared memory together make hardly more passes over the banks than the threads need for what they
        access (an eighth and 4 a block more), and some case has an access. If `exactly`, neither loads nor stores make
        a single pass more."""

        def find(trial: Trial) -> Sequence[Finding]:
            blocks = math.prod(trial.launch.grid)
            return find_bank_conflicts(trial.counts, trial.run.traffic, blocks=blocks, exactly=exactly)

        needs = {"needs_shared_memory": True, "needs_several_threads": True}
        self._try(_check("has_no_bank_conflicts", _where_counted(find), **needs))

    def shares_the_work(
        self,
        at_most: int | Callable[..., int],
        loads: Callable[..., int] | None = None,
        *,
        loading: Callable[..., int] | None = None,
        storing: Callable[..., int] | None = None,
        threads: Callable[..., int] | None = None,
        shared: Callable[..., int] | None = None,
    ) -> None:
        """No thread of the launch accesses global or shared memory more than `at_most` times, atomics included, or
        twice as often where all do so alike; a function gets the size's words and returns the limit. Where the task
        says what each thread loads from global memory, `loads` returns how often, and no thread does so more often;
        where it gives each thread a part of its own, `loading` and `storing` return how many threads at least load from
        global memory, and store there. Where it says how many threads a block of the student's launch has, `threads`
        returns that, and `shared` how many bytes of shared memory such a launch needs: it asks for less than twice as
        many, or for less than 128 more.
        Neither is more shared memory asked for than is used nor, if the launch is the student's, more blocks or
        threads. A kernel with wrong results gets no points for it."""

        def of(limit: int | Callable[..., int]) -> Callable[[Trial], int]:
            return lambda trial: _limit(limit, trial)

        parts = (of(limit) if limit else None for limit in (loads, loading, storing, threads, shared))
        share = Share(of(at_most), *parts)

        def judge_all(title: str, judged: Sequence[Trial]) -> Report | None:
            return find_unshared(title, judged, self._answer.source, share) or find_unused(
                title, judged, self._launches, chosen=bool(self._exercise.values)
            )

        claim = report.claim("shares_the_work")
        self._try(Check("shares_the_work", claim, judge_all=judge_all, needs_right_results=True))

    def uses(self, construct: str, at_least: Callable[..., int] | None = None, *, without: Sequence[str] = ()) -> None:
        """Some thread uses `construct`, one of `report.WANTED`, in some case, or all threads together use it in each
        case as often as `at_least` returns, a function of the size's words. If what threads get by it can be withheld,
        results need it (`unneeded.py`). No thread uses any of `without`, of `report.UNWANTED`. A kernel with wrong
        results, or that leaves the work to one thread of each block, gets no points for it."""
        if construct not in report.WANTED:
            raise GraderFault(f"uses({construct!r}): the words are {', '.join(report.WANTED)}.")

        def judge(title: str, judged: Sequence[Trial]) -> Report | None:
            if not any(self._judge.times_used(construct, trial) for trial in judged):
                return report.not_used(title, judged[0].setting, construct)
            for trial in judged if at_least else ():
                times, wanted = self._judge.times_used(construct, trial), _limit(at_least or 0, trial)
                if times < wanted:
                    return report.used_too_little(title, trial.setting, construct, times, wanted)
            return self._find_used(title, judged, without) or find_unneeded(title, judged, self._launches, construct)

        self._try(_check_of_constructs("uses", report.claim_of_use(construct), judge, construct))

    def does_without(self, *constructs: str) -> None:
        """No thread uses any of `constructs`, of `report.UNWANTED`, in any case. As for `uses`, results must be
        right."""
        if unknown := [word for word in constructs if word not in report.UNWANTED]:
            raise GraderFault(f"does_without({unknown[0]!r}): the words are {', '.join(report.UNWANTED)}.")

        def judge(title: str, judged: Sequence[Trial]) -> Report | None:
            return self._find_used(title, judged, constructs)

        self._try(_check_of_constructs("does_without", report.claim_of_none(constructs), judge, *constructs))

    def _find_used(self, title: str, judged: Sequence[Trial], constructs: Sequence[str]) -> Report | None:
        for trial in judged:
            for word in constructs:
                if times := self._judge.times_used(word, trial):
                    return report.used(title, trial.setting, word, times)
        return None

    def keeps_what_is_given(self, given: str, *, adds: Sequence[str]) -> None:
        """But for comments and for the pieces that it `adds`, the kernel is the one that was `given`, a text whose
        first line stands for that of `%%cuda`. It counts only where every result is right."""
        source = self._answer.source

        def judge(title: str, judged: Sequence[Trial]) -> Report | None:
            change = first_change(given, source, adds)
            return report.not_kept(title, given, source, *change) if change else None

        claim = report.claim("keeps_what_is_given")
        self._try(Check("keeps_what_is_given", claim, judge_all=judge, needs_right_results=True))

    def loads_at_most(self, limit: int | Callable[..., int], *, of_bytes: int | None = None) -> None:
        """All threads of the launch together execute at most `limit` loads from global memory, atomic operations
        included; a function gets the size's words and returns the limit. Where the task limits how many numbers are
        loaded, `of_bytes` says how many bytes one has, and a load counts as often as it has numbers."""

        def find(trial: Trial) -> Sequence[Finding]:
            numbers = -(-trial.counts.global_load_bytes // of_bytes) if of_bytes else 0
            counts = replace(trial.counts, global_loads=max(trial.counts.global_loads, numbers))
            return find_excess(counts, "global_loads", _limit(limit, trial))

        self._try(replace(_check_of_limit("loads_at_most", "global_loads", limit), find=_where_counted(find)))

    def stores_at_most(self, limit: int | Callable[..., int]) -> None:
        """As `loads_at_most`, for stores to global memory."""
        self._try(_check_of_limit("stores_at_most", "global_stores", limit))

    def global_atomics_at_most(
        self, limit: int | Callable[..., int], *, each: int | Callable[..., int] | None = None
    ) -> None:
        """As `loads_at_most`, for atomic operations on global memory, and no thread makes more than `each` of them."""

        def find_by_one(trial: Trial) -> Sequence[Finding]:
            work = trial.run.maximum_work
            return find_excess_atomics(work, _limit(each, trial)) if work and each is not None else []

        check = _check_of_limit("global_atomics_at_most", "global_atomics", limit)
        together = check.find
        self._try(replace(check, find=lambda trial: together(trial) or _where_counted(find_by_one)(trial)))

    def shared_loads_at_most(self, limit: int | Callable[..., int]) -> None:
        """As `loads_at_most`, for loads from shared memory, and some case has one. A load counts once
        whatever its width, and as written in the source: a compiler may merge two."""
        self._try(_check_of_limit("shared_loads_at_most", "shared_loads", limit, needs_shared_memory=True))

    def shared_store_requests_at_most(self, limit: int | Callable[..., int]) -> None:
        """As `shared_loads_at_most`, for stores to shared memory, each of one warp, whether all of its lanes take part
        or only one: more are made where threads at work are scattered over many warps."""
        needs = {"needs_shared_memory": True, "needs_several_threads": True}
        self._try(_check_of_limit("shared_store_requests_at_most", "shared_store_requests", limit, **needs))

    def barriers_at_most(self, limit: int | Callable[..., int]) -> None:
        """As `loads_at_most`, for waits at `__syncthreads()`: one for each thread and barrier."""
        self._try(_check_of_limit("barriers_at_most", "barriers", limit))

    def is_faster_than(self, speed: Speed) -> None:
        """The kernel is `speed.needed` times as fast as `speed.baseline`, at `speed.size`, on the GPU; without
        one, this says so and passes. A kernel with wrong results gets no points for its speed."""
        title = self._judge.title(report.claim_of_speed(speed.needed, speed.baseline.name))
        self._record("is_faster_than", title, lambda: self._judge_speed(title, speed))

    def _judge_speed(self, title: str, speed: Speed) -> str:
        baseline = speed.baseline.name
        self._judge.require_answer(title)
        self._judge.require_right_results(title)
        if self._tools.time is None:
            try:
                self._launches.check_values(speed.size)
            except NotLaunchedError as error:
                self._judge.not_launched(title, error)
            return report.speed_not_graded(title, speed.size)
        found: Sequence[Finding] = []
        for _ in range(ATTEMPTS):  # another program on the same GPU may have slowed one of the two
            own, other, setting = self._time_both(title, speed, self._tools.time)
            found = find_too_slow(own, other, speed.needed, naive=speed.naive, good=speed.good, baseline=baseline)
            if not found:
                factor = speed_up(own, other)
                return report.fast_enough(title, setting, factor, speed.good, len(own))
        self._judge.fail(report.failed(title, setting, found, self._answer.source))

    def _time_both(self, title: str, speed: Speed, time: TimeLaunches) -> tuple[list[float], list[float], Setting]:
        """Times of the answer and of the baseline, each of one launch on fresh inputs, and the setting. The first
        inputs only warm up: nothing that a kernel may have kept of them helps it later."""
        try:
            cases = [self._launches.case(speed.size, draw) for draw in range(1, speed.rounds + 2)]
            launches = [self._launches.prepare(speed.size, case) for case in cases]
        except NotLaunchedError as error:
            self._judge.not_launched(title, error)
        baselines = [speed.baseline.prepare(case, speed.size, own) for case, own in zip(cases, launches, strict=True)]
        setting = setting_of(self._exercise, speed.size, launches[0])
        try:
            timed, beside = time([Series(launches), Series(baselines, cublas=not speed.baseline.source)])
        except UsageError as error:
            self._judge.not_launched(title, NotLaunchedError(setting, error))
        setting = replace(setting, backend=timed[0].run.backend)
        for case, own, launch in zip(cases, timed, launches, strict=True):
            trial = Trial(case, launch, setting, own.run)
            self._judge.require_end(title, trial)
            if wrong := find_wrong_result(trial):
                self._judge.fail(report.failed(title, setting, wrong, self._answer.source))
        for case, other, against in zip(cases, beside, baselines, strict=True):
            if is_wrong(Trial(case, against, setting, other.run)):
                raise GraderFault(f"The baseline {speed.baseline.name} gives a wrong result.")
        return [t for own in timed[1:] for t in own.times], [t for other in beside[1:] for t in other.times], setting


def _check(method: str, find: Find, **needs: Any) -> Check:
    return Check(method, report.claim(method), find, **needs)


def _check_of_run(method: str, **needs: Any) -> Check:
    """A check whose findings the launch itself has."""

    def find(trial: Trial) -> Sequence[Finding]:
        return [finding for finding in trial.run.findings if kinds()[finding.kind].check == method]

    return _check(method, find, orders="findings", **needs)


def _check_of_constructs(
    method: str, claim: str, judge: Callable[[str, Sequence[Trial]], Report | None], *constructs: str
) -> Check:
    return Check(method, claim, judge_all=judge, needs_right_results=True, needs_several_threads=True, words=constructs)


def _check_of_limit(method: str, counted: str, limit: int | Callable[..., int], **needs: Any) -> Check:
    find = _where_counted(lambda trial: find_excess(trial.counts, counted, _limit(limit, trial)))
    return Check(method, report.claim_of_limit(counted, limit), find, orders="counts", **needs)


def _where_counted(find: Find) -> Find:
    """`find`, for checks of counts: they mean nothing if a launch was stopped."""
    return lambda trial: find(trial) if trial.run.completed else []


def _limit(limit: _Limit | Callable[..., _Limit], trial: Trial) -> _Limit:
    return limit(**words_of(trial.setting.size)) if callable(limit) else limit
