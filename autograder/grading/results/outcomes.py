"""Graded notebooks as data: what each test said about each student's answers, and what it is worth."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.utils import is_grade, is_solution

from ...report import MIME, Report, from_data
from ..execution.preprocessors import fails_hidden, is_ungraded
from ..submission.answers import MAGICS, Note
from ..submission.graft import METADATA, read_notes


class CheckOutcome(StrEnum):
    """How one test ended, in the word that people see."""

    __test__ = False  # not a test of pytest's

    PASSED = "passed"
    FAILED = "failed"
    BLOCKED = "cannot be judged yet"
    FAULT = "graded by hand"


@dataclass(frozen=True)
class GradedCheck:
    """One test of one student: `title` says what it claims; `report` is what it said where it did not pass
    (None: only text was left, `said`). `hidden` says that it failed only in cases that the notebook does
    not show. `score` counts manual grading, too."""

    name: str
    title: str
    outcome: CheckOutcome
    hidden: bool
    report: Report | None
    said: str
    score: float = 0.0
    max_score: float = 0.0
    comment: str = ""


@dataclass(frozen=True)
class GradedAnswer:
    """One answer of one student: its cell's name and first line, the text below that line, a comment by a person,
    and the report that it does not compile."""

    name: str
    magic: str
    text: str
    comment: str = ""
    report: Report | None = None


@dataclass(frozen=True)
class GradedExercise:
    """One graded notebook of one student. `seconds` is how long it ran (0: not known)."""

    student: str
    name: str
    title: str
    answers: tuple[GradedAnswer, ...]
    sentences: tuple[GradedCheck, ...]
    notes: tuple[Note, ...]
    faults: dict[str, str]
    seconds: float
    score: float = 0.0
    max_score: float = 0.0
    penalty: float = 0.0

    @property
    def untouched(self) -> bool:
        """Whether no answer is more than the stub."""
        return not any(is_written(answer) for answer in self.answers)


def read_exercise(path: Path, student: str) -> GradedExercise:
    """The graded notebook at `path`.

    Raises:
        OSError, ValueError: it cannot be read.
    """
    notebook = nbformat.read(path, as_version=4)
    metadata = notebook.metadata.get(METADATA, {})
    return GradedExercise(
        student,
        path.stem,
        _title(notebook) or path.stem,
        tuple(_answer(cell) for cell in notebook.cells if is_solution(cell)),
        tuple(_sentence(cell) for cell in notebook.cells if is_grade(cell)),
        read_notes(notebook),
        dict(metadata.get("faults", {})),
        float(metadata.get("seconds", 0)),
    )


def with_scores(exercise: GradedExercise, gradebook: Gradebook, chapter: str) -> GradedExercise:
    """`exercise` with what the gradebook says of it, persons' scores and comments included."""
    submitted = gradebook.find_submission_notebook(exercise.name, chapter, exercise.student)
    grades = {grade.name: grade for grade in submitted.grades}
    comments = {comment.name: comment.comment or "" for comment in submitted.comments}
    sentences = tuple(
        replace(s, score=grades[s.name].score, max_score=grades[s.name].max_score, comment=comments.get(s.name, ""))
        if s.name in grades
        else s
        for s in exercise.sentences
    )
    answers = tuple(replace(answer, comment=comments.get(answer.name, "")) for answer in exercise.answers)
    return replace(
        exercise,
        sentences=sentences,
        answers=answers,
        score=submitted.score,
        max_score=submitted.max_score,
        penalty=submitted.late_submission_penalty or 0.0,
    )


def _title(notebook: NotebookNode) -> str:
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (found := re.match(r"# (.+)", cell.source)):
            return html.unescape(found[1]).strip()
    return ""


def _answer(cell: NotebookNode) -> GradedAnswer:
    magic, _, text = cell.source.partition("\n")
    return GradedAnswer(cell.metadata.nbgrader.grade_id, magic, text, report=_report(cell))


def _sentence(cell: NotebookNode) -> GradedCheck:
    name = cell.metadata.nbgrader.grade_id
    report = _report(cell)
    error = next((out for out in cell.get("outputs", []) if out.output_type == "error"), None)
    printed = "".join(out.text for out in cell.get("outputs", []) if out.output_type == "stream").splitlines()
    if is_ungraded(cell):
        return GradedCheck(name, name, CheckOutcome.FAULT, False, None, error.evalue if error else "")
    if error is None:
        title = printed[-1].partition(":")[0] if printed else name
        return GradedCheck(name, title, CheckOutcome.PASSED, False, None, "\n".join(printed))
    first = report.title if report else error.evalue.split("\n")[0]
    title, _, word = first.rpartition(": ")
    outcome = CheckOutcome.BLOCKED if word == "BLOCKED" else CheckOutcome.FAILED
    return GradedCheck(name, title or name, outcome, fails_hidden(cell), report, error.evalue)


def _report(cell: NotebookNode) -> Report | None:
    for output in reversed(cell.get("outputs", [])):
        data: Any = output.get("data", {}).get(MIME)
        if data:
            return from_data(data)
    return None


def is_written(answer: GradedAnswer) -> bool:
    """Whether the answer is more than the stub."""
    return answer.magic.startswith(MAGICS) and "YOUR CODE HERE" not in answer.text
