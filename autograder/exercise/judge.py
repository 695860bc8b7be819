"""How one sentence about an answer is judged: over all sizes, and who must be asked where another mistake stops it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from .. import report
from ..checks.constructs import times_used
from ..core.findings import Finding, Kind
from ..core.launch import Launch
from ..core.run import Expected, Run
from ..report import Report
from ..report.kinds import KINDS
from .answer import KernelAnswer, ValuesAnswer
from .declaration import Exercise
from .launches import Launches, NotLaunchedError
from .result import CheckFailed
from .trial import ENDLESS, Trial, expected_outputs, find_wrong_result, gives_results

#: Looks for an order of the threads in which a race of an emulated run makes an output wrong, and for what a picture
#: is drawn from.
Explain = Callable[[Launch, Run, Mapping[str, Expected]], Run]
#: Findings of which a report has more to tell, or to show, than the run itself gives.
_EXPLAINED = (Kind.RACE, Kind.BARRIER_DIVERGENCE)
_REFUSED = (Kind.COMPILE_ERROR, Kind.FORBIDDEN_CODE)


class Judge:
    """Judges sentences about one answer: says one line where it passes, and raises `CheckFailed` where it does not.

    Args:
        exercise: what is asked.
        answer: the text of its `%%cuda` cell.
        values: the text of its `%%values` cell; None where it has no such cell.
        launches: what comes of the answer.
        sizes: the sizes to try.
        explain: gives the run of a launch that has a race a counterexample; None where no one does.
    """

    def __init__(
        self,
        exercise: Exercise,
        answer: KernelAnswer,
        values: ValuesAnswer | None,
        launches: Launches,
        sizes: Sequence[Mapping[str, Any]],
        explain: Explain | None,
    ) -> None:
        self._exercise, self._answer, self._values = exercise, answer, values
        self._launches, self._sizes, self._explain = launches, sizes, explain

    def judge(
        self,
        claim: str,
        find: Callable[[Trial], Sequence[Finding]],
        *,
        numbers: bool = False,
        shared: bool = False,
        together: bool = False,
        right: bool = False,
        means: Callable[[str, Sequence[Trial]], Report | None] | None = None,
    ) -> str:
        """Judge one claim, by what `find` finds in each case; returns the line that says how it passed.

        `numbers`: on the GPU where there is one, and in every case. Any other claim needs one case
        that ran to its end with something right to show; a case that another mistake stopped is that
        mistake's, and costs its points once. `shared`: of a kernel that never uses shared memory, the claim says
        nothing. `together`: nor does it where one thread of a block does everything. `right`: nor of one whose results
        are wrong in any case. `means`: a judge of all cases together, by the sentence; None where it has nothing to
        report."""
        sentence = f"{self._exercise.name} {claim}"
        self.require_answer(sentence)
        judged = []
        stopped: list[tuple[Trial, Finding]] = []
        for size in self._sizes:
            trial = self._trial(sentence, size, on_gpu=numbers)
            if found := find(trial):
                answer, run = self._answer, trial.run
                if self._explain and found[0].kind in _EXPLAINED:
                    run = self._explain(trial.launch, run, expected_outputs(trial))
                self.fail(report.failed(sentence, trial.setting, found, answer.source, answer.warnings, run))
            stopper = trial.stopper
            if stopper is None:
                judged.append(trial)
                continue
            if stopper.kind in _REFUSED:
                self.fail(report.not_compiled(sentence, [stopper], self._answer.source), blocked=True)
            stopped.append((trial, stopper))
            if stopper.kind in ENDLESS:
                break  # the next size would take as long to come to nothing
        if stopped and (numbers or not judged or stopped[-1][1].kind in ENDLESS):
            self.require_end(sentence, stopped[0][0])
        if not any(map(gives_results, judged)):
            # To do nothing is free of races, too: no points for that.
            self.fail(report.no_results(sentence, judged[0].setting, self.call("matches_numpy")), blocked=True)
        if shared and not any(self.times_used("shared_memory", trial) for trial in judged):
            self.fail(report.nothing_shared(sentence, judged[0].setting), blocked=True)
        tried = [*judged, *(trial for trial, _ in stopped)]
        if right and (wrong := next(filter(is_wrong, tried), None)):
            self.fail(report.results_not_right(sentence, wrong.setting, self.call("matches_numpy")), blocked=True)
        alone = [trial for trial in judged if trial.works_alone]
        if together and alone and not any(trial.works_together for trial in judged):
            self.fail(report.nothing_together(sentence, alone[0].setting), blocked=True)
        if means and (shown := means(sentence, judged)):
            self.fail(shown)
        return report.passed(sentence, len(judged), len(stopped), judged[0].run.backend)

    def times_used(self, means: str, trial: Trial) -> int:
        """How often the threads of a launch make use of `means`."""
        return times_used(means, trial.run, trial.counts, self._answer.source)

    def call(self, sentence: str) -> str:
        """What a student writes to ask for another sentence."""
        return f'check("{self._exercise.name}").{sentence}()'

    def require_answer(self, sentence: str) -> None:
        """Fail where nothing is written yet, or nothing that compiles."""
        name = self._exercise.name
        for magic, answer in (("cuda", self._answer), ("values", self._values)):
            if answer is not None and (line := answer.stub_line) is not None:
                self.fail(report.not_written(sentence, name, magic, line), blocked=True)
        if self._answer.errors:
            self.fail(report.not_compiled(sentence, self._answer.errors, self._answer.source), blocked=True)

    def require_right_results(self, sentence: str) -> None:
        """Fail where some case, on the GPU if there is one, has a wrong result or none."""
        for size in self._sizes:
            trial = self._trial(sentence, size, on_gpu=True)
            if is_wrong(trial):
                self.fail(report.not_right(sentence, trial.setting, self.call("matches_numpy")), blocked=True)

    def require_end(self, sentence: str, trial: Trial) -> None:
        """Fail where a launch did not come to its end."""
        if stopper := trial.stopper:
            call = self.call(KINDS[stopper.kind].check)
            self.fail(report.blocked(sentence, trial.setting, stopper, call), blocked=True)

    def fail(self, shown: Report, *, blocked: bool = False) -> NoReturn:
        """End the check with a report."""
        raise CheckFailed(shown, blocked=blocked)

    def not_launched(self, sentence: str, error: NotLaunchedError) -> NoReturn:
        """Fail: the answer makes a launch that nobody can begin."""
        self.fail(report.not_launched(sentence, error.setting, str(error)), blocked=True)

    def _trial(self, sentence: str, size: Mapping[str, Any], *, on_gpu: bool) -> Trial:
        try:
            return self._launches.trial(size, on_gpu=on_gpu)
        except NotLaunchedError as error:
            self.not_launched(sentence, error)


def is_wrong(trial: Trial) -> bool:
    """Whether a launch has a wrong result, or none."""
    return not trial.run.completed or bool(find_wrong_result(trial))
