"""Run an exercise notebook in this process: no Jupyter kernel, and any answers in place of its own.

For notebooks of ours only, since their Python is executed: source notebooks, with or without their
solutions. The process's own session is used; a run replaces what an earlier one declared.
"""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from nbformat import NotebookNode

from ..errors import GraderFault
from ..exercise.declaration import Exercise
from ..exercise.judge import CheckFailed
from .session import default as session

_LOAD = "%load_ext autograder"
_TAKE = {"%%cuda": session.answer, "%%values": session.answer_values}


class Outcome(StrEnum):
    """How a test cell ended. `BLOCKED`: it could not judge, and gives no points either."""

    PASSED = "passed"
    FAILED = "failed"
    BLOCKED = "blocked"


@dataclass(frozen=True)
class TestResult:
    """One test cell, run: the `answer` that it is about, the `sentence` that it checks (such as
    "has_no_races"), what it is worth, and what it said."""

    __test__ = False  # not a test of pytest's

    grade_id: str
    points: float
    answer: str
    sentence: str
    outcome: Outcome
    report: str


def run(notebook: NotebookNode, answers: Mapping[str, str] = MappingProxyType({})) -> tuple[TestResult, ...]:
    """Run every code cell in order, and return the results of the test cells.

    Args:
        notebook: a source notebook.
        answers: texts to put in the place of the notebook's own, by the first line of their cell
            ("%%cuda name").

    Raises:
        GraderFault: there is no cell for one of `answers`, or a cell ended in anything else than a
            check that failed.
    """
    given = {**answers_of(notebook), **answers}
    if unknown := answers.keys() - answers_of(notebook).keys():
        raise GraderFault(f"There is no answer to replace: no cell begins with '{min(unknown)}'.")
    namespace: dict[str, Any] = {}
    results = []
    for cell in _code_cells(notebook):
        magic, name = _magic(cell)
        if magic:
            _TAKE[magic](name, given[f"{magic} {name}"])
        elif not _nbgrader(cell).get("grade"):
            _execute(cell, namespace)
        else:
            results.append(_test(cell, namespace))
    return tuple(results)


def answers_of(notebook: NotebookNode) -> dict[str, str]:
    """The texts of the answer cells, each below its first line ("%%cuda name"), by that line."""
    cells = ((" ".join(_magic(cell)), cell.source) for cell in _code_cells(notebook) if _magic(cell)[0])
    return {first: source.partition("\n")[2] for first, source in cells}


def declared_exercise(notebook: NotebookNode, name: str) -> Exercise:
    """The exercise `name` of a kernel, which the notebook declares.

    Raises:
        GraderFault: it declares no such exercise, or a cell failed.
    """
    namespace: dict[str, Any] = {}
    for cell in _code_cells(notebook):
        if not _magic(cell)[0] and not _nbgrader(cell).get("grade"):
            _execute(cell, namespace)
    declared = session.exercise_named(name)
    if not isinstance(declared, Exercise):
        raise GraderFault(f'No cell of the notebook declares exercise("{name}", ...).')
    return declared


def _code_cells(notebook: NotebookNode) -> Iterator[NotebookNode]:
    return (cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip() != _LOAD)


def _magic(cell: NotebookNode) -> tuple[str, str]:
    """("%%cuda", name), or ("%%values", name), or ("", "") for a cell of Python."""
    magic, _, name = cell.source.partition("\n")[0].partition(" ")
    return (magic, name.strip()) if magic in _TAKE else ("", "")


def _nbgrader(cell: NotebookNode) -> Mapping[str, Any]:
    metadata: Mapping[str, Any] = cell.metadata.get("nbgrader", {})
    return metadata


def _test(cell: NotebookNode, namespace: dict[str, Any]) -> TestResult:
    metadata = _nbgrader(cell)
    outcome = Outcome.PASSED
    try:
        said = _execute(cell, namespace)
    except CheckFailed as failure:
        outcome = Outcome.BLOCKED if failure.blocked else Outcome.FAILED
        said = str(failure)
    return TestResult(metadata["grade_id"], float(metadata["points"]), *_claim(cell), outcome, said)


def _execute(cell: NotebookNode, namespace: dict[str, Any]) -> str:
    """What the cell prints."""
    name = _nbgrader(cell).get("grade_id", cell.get("id", ""))
    with redirect_stdout(io.StringIO()) as printed:
        try:
            exec(compile(cell.source, f"<cell {name}>", "exec"), namespace)
        except CheckFailed:
            raise
        except Exception as error:
            raise GraderFault(f"The cell '{name}' ended in {type(error).__name__}: {error}") from error
    return printed.getvalue()


def _claim(cell: NotebookNode) -> tuple[str, str]:
    """The name and the method of a test cell's one `check(name).method(...)`; a word that is given to the method
    belongs to the sentence: `predicts("bytes")` is "predicts_bytes".

    Raises:
        GraderFault: it makes no such call, or different ones.
    """
    called = set()
    for node in ast.walk(ast.parse(cell.source)):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Call(func=ast.Name(id="check"), args=[ast.Constant(value=name)]), attr=method
                ),
                args=given,
            ):
                words = [arg.value for arg in given if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
                called.add((str(name), "_".join([method, *words])))
    if len(called) != 1:
        found = ", ".join(sorted(f"{method} of {name}" for name, method in called)) or "none"
        raise GraderFault(f"The test cell '{_nbgrader(cell)['grade_id']}' must hold one sentence, and holds {found}.")
    return called.pop()
