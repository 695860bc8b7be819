"""Judges the answers of a released notebook by its own cells, in a page: the entry that the worker calls."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from types import SimpleNamespace
from typing import Any

import autograder
from autograder.cuda.backends import emulator
from autograder.cuda.core.launch import Launch
from autograder.cuda.core.run import Expected, Run
from autograder.cuda.core.setting import Size
from autograder.cuda.errors import CellError, GraderFault, UsageError
from autograder.cuda.report import Report, to_html
from autograder.cuda.report.vocabulary import case_line
from autograder.cuda.schedules.counterexamples import find_counterexample
from autograder.exercises.answers.answer import KernelAnswer, ValuesAnswer
from autograder.exercises.answers.launches import Launches
from autograder.exercises.answers.tools import Tools
from autograder.exercises.answers.trial import Trial
from autograder.exercises.checks.prediction import Prediction
from autograder.exercises.declarations.declaration import Exercise
from autograder.exercises.declarations.domain import DATA
from autograder.exercises.declarations.draw import Draw
from autograder.exercises.notebook.magic import take_kernel, take_values
from autograder.exercises.notebook.session import Session, emulate
from autograder.exercises.result import CheckFailed, CheckResult, Outcome

from .cases import key, unpack_case, unpack_launch, unpack_sizes

#: Takes what is shown of a cell, as JSON: its number, its points if it is a check, and HTML or text.
Show = Callable[[str], None]


#: A page has no processor time, only the clock: on a busy machine, less than this takes right answers for endless ones.
IDLE_SECONDS = 10
#: A page takes much longer for a step than native code, and so has fewer. None of the course's answers that end takes
#: as many, not even where one thread of each block does everything.
MAX_BLOCK_STEPS = 1_000_000

if sys.platform == "emscripten":  # not where a test reads this module
    emulator.IDLE_SECONDS, emulator.MAX_BLOCK_STEPS = IDLE_SECONDS, MAX_BLOCK_STEPS


class Judge:
    """The cells of one notebook.

    Args:
        notebook: the released notebook, JSON.
        cases: its cases, JSON from `recorder.record_cases`.
        show: takes each result as it comes.
    """

    def __init__(self, notebook: str, cases: str, show: Show) -> None:
        self._cells = json.loads(notebook)["cells"]
        self._cases: Mapping[str, Mapping[str, Any]] = json.loads(cases)
        self._show = show
        self._session = Session(find_gpu=lambda: None, find_timer=lambda: None, show=self._take, on_result=self._report)
        self._names: dict[str, Any] = {}
        self._shown: list[dict[str, str]] = []
        self._outcome = Outcome.FAILED
        self._answers: dict[str, tuple[str | None, dict[str, Any]]] = {}  # by cell: its text, and the outcome of it
        vars(autograder).update(exercise=self._exercise, prediction=self._prediction, check=self._session.check)
        self._session.explain = self._explain
        self._case = (0, 0)
        for cell in self._cells:
            if kind_of(cell) == "contract":
                exec("".join(cell["source"]), self._names)

    def check(self, answers: Mapping[str, str], name: str) -> None:
        """Run the answer cells of exercise `name` with these texts, by cell id, and its checks, in their order."""
        checks = 0
        of = sum(_checks(cell, name) for cell in self._cells)
        for number, cell in enumerate(self._cells):
            source = "".join(cell["source"])
            kind = kind_of(cell)
            if kind == "answer" and source.partition("\n")[0].split()[1] == name:
                text = answers[cell["id"]]
                before, outcome = self._answers.get(cell["id"], (None, {}))
                if text != before:
                    outcome = self._run(number, partial(self._answer, text))
                    # After a fault of the check's own, the next one tries again.
                    self._answers[cell["id"]] = (None if outcome["fault"] else text), outcome
                self._show(json.dumps(outcome))
            elif _checks(cell, name):
                checks += 1
                self._show(json.dumps({"number": checks, "of": of}))
                self._outcome = Outcome.FAILED
                points = cell["metadata"]["nbgrader"]["points"]
                self._show(json.dumps(self._run(number, partial(exec, source, self._names), points)))

    def count(self, answers: Sequence[Mapping[str, str]], name: str) -> str:
        """Launch right answers to exercise `name`, each the texts of its cells by id, in the page's largest case.

        Returns:
            JSON: the case in words, `of`, and the `counts` of each answer, None if it does not end. No counts for an
            exercise that launches no answer.
        """
        exercise = self._session.exercise_named(name)
        if not isinstance(exercise, Exercise):
            return json.dumps({"of": "", "counts": []})
        trials = [self._largest(exercise, self._texts(texts, name)) for texts in answers]
        counts = [asdict(trial.counts) if trial.run.completed else None for trial in trials]
        return json.dumps({"of": case_line(trials[0].setting), "counts": counts})

    def _texts(self, answers: Mapping[str, str], name: str) -> dict[str, str]:
        """The texts for exercise `name` by their magics, each with an empty line in place of its first."""
        lines = [text.partition("\n") for text in answers.values()]
        return {head.split()[0]: f"\n{text}" for head, _, text in lines if head.split()[1] == name}

    def _largest(self, exercise: Exercise, texts: Mapping[str, str]) -> Trial:
        values = ValuesAnswer(texts["%%values"]) if "%%values" in texts else None
        answer = KernelAnswer(texts["%%cuda"])
        launches = Launches(exercise, answer, values, Tools(emulate), {}, {})

        def data(size: Size) -> int:
            return sum(array.size for array in launches.prepare(size, launches.case(size)).arrays)

        return launches.trial(max(exercise.visible.others, key=data), on_gpu=False)

    def _explain(self, launch: Launch, run: Run, expected: Mapping[str, Expected]) -> Run:
        self._show(json.dumps({"searches": True}))
        return find_counterexample(launch, run, expected)

    def _show_case(self, number: int, of: int) -> None:
        if self._case != (number, of):
            self._case = (number, of)
            self._show(json.dumps({"case": number, "cases": of}))

    def _answer(self, text: str) -> None:
        line, _, source = text.partition("\n")
        magic, _, name = line.partition(" ")
        {"%%cuda": take_kernel, "%%values": take_values}[magic.strip()](self._session, name, source)

    def _run(self, number: int, run: Callable[[], object], points: float | None = None) -> dict[str, Any]:
        """Run one cell and return its outcome. Only what the student can fix is reported as such."""
        self._shown = []
        printed = io.StringIO()
        fault = False
        with contextlib.redirect_stdout(printed):
            try:
                run()
            except CheckFailed:
                pass  # reported already
            except (CellError, UsageError) as error:
                self._shown.append({"text": str(error)})
            except (GraderFault, ArithmeticError, LookupError, TypeError, ValueError, AssertionError, OSError) as error:
                fault = True
                self._shown.append({"text": f"{type(error).__name__}: {error}"})
        if text := printed.getvalue().strip():
            self._shown.insert(0, {"text": text})
        outcome: dict[str, Any] = {"cell": number, "shown": self._shown, "fault": fault}
        if points is not None:
            outcome |= {
                "points": points if self._outcome is Outcome.PASSED else 0,
                "of": points,
                "outcome": self._outcome,
            }
        return outcome

    def _take(self, shown: Report) -> None:
        self._shown.append({"html": to_html(shown, "{}.html".format)})

    def _report(self, result: CheckResult, text: str | Report) -> None:
        self._outcome = result.outcome
        if isinstance(text, Report):
            self._take(text)
        else:
            self._shown.append({"text": text})

    def _exercise(
        self,
        name: str,
        case: object,
        sizes: object,
        *,
        values: Sequence[str] = (),
        kernel: str | None = None,
        **drawn_from: object,
    ) -> None:
        """An exercise whose sizes and cases were drawn when the book was built."""
        recorded = self._cases[name]
        numbers = {size: number for number, size in enumerate(recorded["cases"], 1)}

        def build(draw: Draw, launch: SimpleNamespace | None = None, **size: Any) -> Any:
            word = key({**size, DATA: draw.kind})
            self._show_case(numbers[word], len(numbers))
            return unpack_case(recorded["cases"][word], launch)

        self._session.declare(Exercise(name, build, unpack_sizes(recorded["sizes"]), kernel or name, tuple(values)))

    def _prediction(self, name: str, source: str, launch: object, domain: object, **more: Any) -> None:
        recorded = self._cases[name]

        def made(**size: Any) -> Any:
            return unpack_launch(recorded["cases"][key(size)])

        self._session.declare(
            Prediction(name, source, made, **{**more, "sizes": unpack_sizes(recorded["sizes"]).others})
        )


def kind_of(cell: Mapping[str, Any]) -> str:
    """What a cell of a released notebook is for: "contract", "answer", "check"; empty for the others."""
    about = cell["metadata"].get("nbgrader", {})
    if cell["cell_type"] != "code" or not about or cell["id"] == "setup":
        return ""
    return "answer" if about["solution"] else "check" if about["grade"] else "contract"


def _checks(cell: Mapping[str, Any], name: str) -> bool:
    """Whether a cell is a check of exercise `name`."""
    return kind_of(cell) == "check" and "".join(cell["source"]).startswith(f'check("{name}"')
