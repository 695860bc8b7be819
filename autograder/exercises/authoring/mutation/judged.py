"""One exercise, ready to judge many answers: its declarations are run once, its checks without a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import CodeType, MappingProxyType

import nbformat

from ....cuda.backends import emulator, emulator_sweep
from ....cuda.compiler.cache import digest
from ....cuda.core.findings import Kind, StepLimit
from ....cuda.core.launch import Launch
from ....cuda.core.run import Counts, Run
from ....cuda.core.setting import Size
from ....cuda.errors import GraderFault
from ....cuda.schedules.early_loads import early_loads
from ....cuda.schedules.loads_ahead import loads_ahead
from ...answers.answer import KernelAnswer, ValuesAnswer
from ...answers.launches import ORDERS, Launches
from ...answers.tools import Tools
from ...answers.trial import Trial
from ...checks.checker import Checker
from ...checks.history import History
from ...checks.kernels.shares_the_work import count_uses
from ...checks.prediction import Prediction, PredictionChecker
from ...declarations.declaration import Exercise, Sizes
from ...declarations.program import ProgramExercise
from ...declarations.sizes import draw_many, with_data
from ...notebook.run_notebook import answers_of, declared
from ...result import CheckFailed, CheckResult, OnResult
from .contract import Contract, contract_of

#: Most accesses of a thread between two barriers, and of a block while no barrier opens: where nothing is compared with
#: the notebook's own answer, and of a mutant at least. That answer itself has the emulator's limits.
MAX_STEPS, LEAST_STEPS = 1_000_000, 100_000
#: A mutant's block may take this many times the steps of the busiest block of the notebook's answer in any case.
TIMES = 50
#: Processor time of one run of a launch, and of one in a further size, where the exercise's own answer must end, too.
CPU_SECONDS, CPU_SECONDS_ANYWHERE = 1.0, 10.0
#: Sizes that are drawn over the domain to tell an answer from a mutant that no check rejects.
FURTHER = 100
#: One in N mutants of a variant is judged: much of its text is the solution's, whose mutants are all judged.
ONE_IN = 4
#: What a mutant does in another way than its answer, if no case shows anything.
ALIKE = "alike"
_CHECK = re.compile(r'check\("(\w+)"')


class Status(StrEnum):
    """What became of a mutant, as Stryker's mutation-testing schema calls it."""

    KILLED = "Killed"
    SURVIVED = "Survived"
    #: A launch went on far beyond all that limits allow: some thread does `TIMES` times what threads of the exercise's
    #: own answer do. So a check rejects it whether it ends or not.
    RUNS_ON = "RunsOn"
    #: A launch did not end in time; whether a check would reject it later is not asked.
    TIMEOUT = "Timeout"
    #: It does not compile.
    COMPILE_ERROR = "CompileError"
    #: The grader itself failed.
    RUNTIME_ERROR = "RuntimeError"
    #: It is proven equivalent to the answer that it was made from.
    EQUIVALENT = "Ignored"
    #: Nothing tells it from that answer, all over the domain.
    ALIKE = "Alike"


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant, and `why`: the check that gives it no points; what a survivor does in another way than
    the answer that it was made from; or what the grader said when it failed."""

    status: Status
    why: str = ""


class _EndedError(Exception):
    """A launch decides what becomes of a mutant; no check is asked."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status


class Judged:
    """One exercise notebook.

    Args:
        path: the source notebook.
        instead: answers that take the place of its own, by their first lines.

    Attributes:
        answers: the texts of its answer cells, by their first lines.
        exercises: what it declares, by name.

    Raises:
        GraderFault: the notebook cannot be run, or these answers do not pass.
    """

    def __init__(self, path: Path, instead: Mapping[str, str] = MappingProxyType({})) -> None:
        notebook = nbformat.read(path, as_version=4)
        given = declared(notebook)
        self.answers = {**answers_of(notebook), **instead}
        # A whole program has no mutants.
        self.exercises = {n: wanted for n, wanted in given.exercises.items() if not isinstance(wanted, ProgramExercise)}
        self._answers: dict[str, dict[tuple[str, str], Trial]] = {}
        self._steps: dict[str, int] = {}
        self._everywhere: dict[str, list[tuple[str, Counts | None]]] = {}
        self._names = given.names
        self._tests: dict[str, list[CodeType]] = {name: [] for name in self.exercises}
        for text in given.tests:
            if not (wanted := _CHECK.match(text)):
                raise GraderFault(f'A test cell of {path.name} must begin with check("..."): {text}')
            self._tests[wanted[1]].append(compile(text, path.name, "exec"))
        for name, exercise in self.exercises.items():
            self._judge_answer(name, exercise)

    def judge(self, magic: str, text: str) -> Verdict:
        """What the checks say of `text` in place of the answer below the line `magic`. The first check that gives no
        points ends it."""
        history = History()
        name = magic.split()[1]
        verdict = self._judge(name, {**self.answers, magic: text}, history)
        if verdict.status is not Status.SURVIVED:
            return verdict
        return replace(verdict, why=_difference(self._answers[name], history.trials))

    def difference_anywhere(self, name: str, text: str) -> str:
        """What the kernel `text` does in another way than the exercise's own answer, in the launch of any of many more
        sizes, all over the domain, and in any order of the threads where that could matter; `ALIKE` if nothing."""
        exercise = self.exercises[name]
        assert isinstance(exercise, Exercise)  # a prediction has no kernel
        if name not in self._everywhere:
            self._everywhere[name] = [*self._seen(name, exercise, self.answers[f"%%cuda {name}"])]
        found = ALIKE
        try:
            for original, other in zip(self._everywhere[name], self._seen(name, exercise, text), strict=True):
                if original[0] != other[0]:
                    return "other results in a further case"
                if original != other:
                    found = "other traffic in a further case"
        except _EndedError:
            return "a further case does not end"
        return found

    def _seen(self, name: str, exercise: Exercise, text: str) -> Iterator[tuple[str, Counts | None]]:
        """What can be seen of each launch: a digest of what it leaves in memory and of what is found in it; and what
        it does there."""
        launches = self._launches(name, exercise, text)
        for size in draw_many(f"{name} over the domain", with_data(exercise.domain), FURTHER):
            launch = launches.prepare(size, launches.case(size))
            for order in ("forward", *ORDERS) if "atomic" in text else ("forward",):
                run = _emulate(launch, order, cpu_seconds=CPU_SECONDS_ANYWHERE)
                kinds = repr(sorted(finding.kind for finding in run.findings))
                yield digest(kinds, *(out.tobytes() for out in run.outputs)), run.counts

    def contract(self, name: str) -> Contract:
        """What the contract of exercise `name` says of a launch of its own answer."""
        exercise = self.exercises[name]
        assert isinstance(exercise, Exercise)  # a prediction has no launches of its own
        launches = self._launches(name, exercise, self.answers[f"%%cuda {name}"])

        def launch_of(size: Size) -> Launch:
            return launches.prepare(size, launches.case(size))

        sizes = [trial.setting.size for trial in self._answers[name].values()]
        return contract_of(sizes, exercise.domain, launch_of)

    def _launches(self, name: str, exercise: Exercise, text: str) -> Launches:
        values = self._values(name, self.answers)
        return Launches(exercise, KernelAnswer("\n" + text), values, Tools(_emulate), {}, {})

    def _judge_answer(self, name: str, exercise: Exercise | Prediction) -> None:
        """Judge the notebook's own answer. Then put the cases in the order of their work: what rejects a mutant is
        found sooner."""
        history = History()
        verdict = self._judge(name, self.answers, history)
        if verdict.status is not Status.SURVIVED:
            raise GraderFault(f"The answer to {name} does not pass: {verdict.status}, {verdict.why}.")
        self._answers[name] = history.trials
        if isinstance(exercise, Prediction):
            return
        self._steps[name] = max(LEAST_STEPS, TIMES * max(map(_steps_of_block, history.trials.values())))
        work = {
            size: trial.counts.global_loads + trial.counts.shared_loads for (size, _), trial in history.trials.items()
        }

        def quick_first(sizes: Sequence[Size]) -> tuple[Size, ...]:
            return tuple(sorted(sizes, key=lambda size: work.get(repr(sorted(size.items())), 0)))

        def all_quick_first(sizes: Sizes) -> Sizes:
            return Sizes(
                quick_first(sizes.others), {check: quick_first(original) for check, original in sizes.of.items()}
            )

        visible, hidden = all_quick_first(exercise.visible), all_quick_first(exercise.hidden)
        self.exercises[name] = replace(exercise, visible=visible, hidden=hidden)

    def _judge(self, name: str, answers: Mapping[str, str], history: History) -> Verdict:
        results: list[CheckResult] = []

        def check(_: str) -> Checker | PredictionChecker:
            return self._checker(name, answers, history, lambda result, reported: results.append(result))

        try:
            for test in self._tests[name]:
                exec(test, {**self._names, "check": check})  # of our own notebooks only
        except CheckFailed:
            return Verdict(Status.KILLED, results[-1].check)
        except _EndedError as ended:
            return Verdict(ended.status)
        except GraderFault as fault:
            return Verdict(Status.RUNTIME_ERROR, str(fault))
        return Verdict(Status.SURVIVED)

    def _values(self, name: str, answers: Mapping[str, str]) -> ValuesAnswer | None:
        return ValuesAnswer("\n" + answers[f"%%values {name}"]) if self.exercises[name].values else None

    def _checker(
        self,
        name: str,
        answers: Mapping[str, str],
        history: History,
        on_result: OnResult,
    ) -> Checker | PredictionChecker:
        exercise, values = self.exercises[name], self._values(name, answers)
        if isinstance(exercise, Prediction):
            assert values is not None  # a prediction has no other answer
            return PredictionChecker(exercise, values, _emulate, on_result)
        answer = KernelAnswer("\n" + answers[f"%%cuda {name}"])
        emulate = partial(_emulate, max_steps=self._steps.get(name))
        tools = Tools(
            emulate,
            reorder=emulate,
            find_early=early_loads,
            find_ahead=loads_ahead,
            on_result=on_result,
            sweep=emulator_sweep.run_each,
        )
        return Checker(exercise, answer, tools, values, history)


def _difference(original: Mapping[tuple[str, str], Trial], runs: Mapping[tuple[str, str], Trial]) -> str:
    """What an answer does in another way than the exercise's own, in some case that both were launched for."""
    pairs = [(original[case], trial) for case, trial in runs.items() if case in original]  # not in a small size
    if any((a.setting.grid, a.setting.block) != (b.setting.grid, b.setting.block) for a, b in pairs):
        return "another launch"
    if any([left.tobytes() for left in a.run.outputs] != [left.tobytes() for left in b.run.outputs] for a, b in pairs):
        return "other results"
    if any(a.counts != b.counts for a, b in pairs):
        return "other traffic"
    if any(a.run.static_shared + a.launch.shared_mem != b.run.static_shared + b.launch.shared_mem for a, b in pairs):
        return "other shared memory"
    return ALIKE


def _steps_of_block(trial: Trial) -> int:
    """About how many accesses a block of `trial` makes, or how often its threads wait at barriers, if that is more. If
    no block writes, as when there is nothing to count, all of them are taken for one."""
    blocks = trial.run.maximum_work.blocks if trial.run.maximum_work else 0
    return max(count_uses(trial.counts), trial.counts.barriers) // max(1, blocks)


def _emulate(
    launch: Launch, schedule: str = "forward", max_steps: int | None = MAX_STEPS, cpu_seconds: float = CPU_SECONDS
) -> Run:
    """The launch of a mutant on the emulator, in an order of its threads.

    Raises:
        _EndedError: it does not compile, runs on, or did not end in time.
    """
    run = emulator.run(launch, schedule=schedule, max_steps=max_steps, cpu_seconds=cpu_seconds)
    kinds = {finding.kind for finding in run.findings}
    if kinds & {Kind.COMPILE_ERROR, Kind.FORBIDDEN_CODE}:
        raise _EndedError(Status.COMPILE_ERROR)
    for finding in run.findings:
        # Without the calls of a line, it is another program, which may wait for what never happens.
        if isinstance(finding, StepLimit) and not launch.experiment.ignored:
            raise _EndedError(Status.TIMEOUT if finding.reason == "time" else Status.RUNS_ON)
    return run
