"""Run an exercise notebook in this process, with any answers in place of its own.

Only for our own notebooks, since their Python is executed: source notebooks, with or without their
solutions. They run in the process's own session; a run replaces what an earlier one declared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import nbformat
from nbformat import NotebookNode

from ...cuda.errors import GraderFault, MachineFault
from ..checks.prediction import Prediction
from ..declarations.declaration import Exercise
from ..declarations.program import ProgramExercise
from ..result import CheckFailed, CheckResult, Outcome, read_results
from .session import default as session
from .shell import Output, fresh_shell

_MAGICS = ("%%cuda", "%%values")


@dataclass(frozen=True)
class TestResult:
    """The result of a test cell: the `answer` that it is about, its `check` (such as "has_no_races"), its points, and
    its message."""

    __test__ = False  # pytest must not collect it

    grade_id: str
    points: float
    answer: str
    check: str
    outcome: Outcome
    report: str


def run(
    notebook: NotebookNode,
    answers: Mapping[str, str] = MappingProxyType({}),
    show: Callable[[str, str], None] = lambda first, text: None,
) -> tuple[TestResult, ...]:
    """Run every code cell in order, and return the results of the test cells.

    Args:
        notebook: a source notebook.
        answers: texts to put in the place of the notebook's own, by the first line of their cell
            ("%%cuda name").
        show: gets the first line of each answer cell, and what the cell shows, such as the compiler's errors.

    Raises:
        GraderFault: there is no cell for one of `answers`, a cell raised anything but a failed check,
            or a test cell does not make exactly one check.
    """
    return tuple(_results(notebook, answers, show))


def gets_all_points(notebook: NotebookNode, answers: Mapping[str, str]) -> bool:
    """Return whether every check passes, hidden cases too, of what `run` runs. The first that does not ends it."""
    return all(result.outcome is Outcome.PASSED for result in _results(notebook, answers))


def _results(
    notebook: NotebookNode, answers: Mapping[str, str], show: Callable[[str, str], None] = lambda first, text: None
) -> Iterator[TestResult]:
    """Yield the result of each test cell, when it has been run."""
    given = {**answers_of(notebook), **answers}
    if unknown := answers.keys() - answers_of(notebook).keys():
        raise GraderFault(f"There is no answer to replace: no cell begins with '{min(unknown)}'.")
    with fresh_shell() as shell:
        for cell in _code_cells(notebook):
            if first := _magic(cell):
                outputs = _without_error(cell, shell.run(f"{first}\n{given[first]}"))
                printed = (output["text"] for output in outputs or () if output["output_type"] == "stream")
                show(first, f"{_shown(outputs or ())}{''.join(printed)}".strip())
            elif _nbgrader(cell).get("grade"):
                yield _test_result(cell, shell.run(cell.source) or [])
            else:
                _without_error(cell, shell.run(cell.source))


def run_as_it_stands(notebook: NotebookNode) -> None:
    """Run every code cell in order, and put their outputs into `notebook`.

    Raises:
        GraderFault: a cell ended in an error.
    """
    with fresh_shell() as shell:
        fill(notebook, [_without_error(cell, shell.run(cell.source)) for cell in _code_cells(notebook)])


def fill(notebook: NotebookNode, outputs: Sequence[list[Output] | None]) -> None:
    """Put the outputs of the first code cells into `notebook`, as if it had been run; None for one that was not."""
    started = 0
    for cell, given in zip(_code_cells(notebook), outputs, strict=False):
        if given is not None:
            started += 1
            cell.execution_count = started
            cell.outputs = [nbformat.from_dict(output) for output in given]


def answers_of(notebook: NotebookNode) -> dict[str, str]:
    """Return the texts of the answer cells, each below its first line ("%%cuda name"), by that line."""
    cells = ((_magic(cell), cell.source) for cell in _code_cells(notebook) if _magic(cell))
    return {first: source.partition("\n")[2] for first, source in cells}


@dataclass(frozen=True)
class Declared:
    """What a notebook declares, besides answers: its exercises by name, every name of its Python, and the texts of its
    test cells."""

    exercises: Mapping[str, Exercise | Prediction | ProgramExercise]
    names: Mapping[str, Any]
    tests: tuple[str, ...]


def declared(notebook: NotebookNode) -> Declared:
    """Return what the notebook declares; its answers and tests are not run.

    Raises:
        GraderFault: a cell failed, or there is an answer without an exercise.
    """
    with fresh_shell() as shell:
        for cell in _code_cells(notebook):
            if not _magic(cell) and not _nbgrader(cell).get("grade"):
                _without_error(cell, shell.run(cell.source))
        names = dict(shell.user_ns)
    exercises = {}
    for name in {first.split()[1] for first in answers_of(notebook)}:
        exercise = session.exercise_named(name)
        if exercise is None:
            raise GraderFault(f'No cell of the notebook declares exercise("{name}", ...).')
        exercises[name] = exercise
    tests = tuple(cell.source for cell in _code_cells(notebook) if _nbgrader(cell).get("grade"))
    return Declared(exercises, names, tests)


def declared_exercise(notebook: NotebookNode, name: str) -> Exercise:
    """Return the exercise `name` of a kernel, which the notebook declares.

    Raises:
        GraderFault: it declares no such exercise, or as `declared` says.
    """
    exercise = declared(notebook).exercises.get(name)
    if not isinstance(exercise, Exercise):
        raise GraderFault(f'No cell of the notebook declares exercise("{name}", ...).')
    return exercise


def _code_cells(notebook: NotebookNode) -> Iterator[NotebookNode]:
    return (cell for cell in notebook.cells if cell.cell_type == "code")


def _magic(cell: NotebookNode) -> str:
    """ "%%cuda name" or "%%values name"; "" for a cell of Python."""
    words = cell.source.partition("\n")[0].split()
    return " ".join(words) if words[:1] and words[0] in _MAGICS else ""


def _nbgrader(cell: NotebookNode) -> Mapping[str, Any]:
    metadata: Mapping[str, Any] = cell.metadata.get("nbgrader", {})
    return metadata


def _test_result(cell: NotebookNode, outputs: list[Output]) -> TestResult:
    grade_id, points = _nbgrader(cell)["grade_id"], float(_nbgrader(cell)["points"])
    errors = [output for output in outputs if output["output_type"] == "error"]
    if any(error["ename"] != CheckFailed.__name__ for error in errors):
        _without_error(cell, outputs)
    last = _one_check(grade_id, read_results(outputs))
    message = errors[0]["evalue"] if errors else _shown(outputs)
    return TestResult(grade_id, points, last.exercise, last.check, last.outcome, message)


def _shown(outputs: Sequence[Output]) -> str:
    return "\n".join(output["data"]["text/plain"] for output in outputs if output["output_type"] == "display_data")


def _one_check(name: str, results: Sequence[CheckResult]) -> CheckResult:
    """Return the last of a test cell's results. All are of one check: over the cases that students see, and over
    others.

    Raises:
        GraderFault: there are none, or of several checks.
    """
    made = sorted({f"{result.check} of {result.exercise}" for result in results})
    if len(made) != 1:
        raise GraderFault(f"The test cell '{name}' must make one check, and makes {', '.join(made) or 'none'}.")
    return results[-1]


def _without_error(cell: NotebookNode, outputs: list[Output] | None) -> list[Output] | None:
    """`outputs`, of `cell`.

    Raises:
        MachineFault: it found that this machine is at fault. GraderFault: it ended in another error.
    """
    for output in outputs or ():
        if output["output_type"] == "error":
            if output["ename"] == KeyboardInterrupt.__name__:  # Ctrl-C, which IPython also turns into an output
                raise KeyboardInterrupt
            name = _nbgrader(cell).get("grade_id", cell.get("id", ""))
            if output["ename"] == MachineFault.__name__:
                raise MachineFault(output["evalue"])
            raise GraderFault(f"The cell '{name}' ended in {output['ename']}: {output['evalue']}")
    return outputs
