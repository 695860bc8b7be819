"""Graded notebooks as data: what each test said about each student's answers, and its points."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4.rwbase import rejoin_lines
from nbgrader.utils import compute_checksum, is_grade, is_solution

from ...cuda.report import MIME, Report, from_data
from ...exercises.answers.answer import MARK
from ...exercises.notebook.answer_cells import MAGICS
from ...exercises.result import Outcome, read_results
from ..execution.replay import fails_hidden, is_ungraded
from ..submission.notes import METADATA, UNREAD, Note, is_open, read_notes
from ..submission.texts import is_text, texts_of
from .scores import CellScore, Scores


@dataclass(frozen=True)
class GradedCheck:
    """One test of one student: `title` says what it checks; `report` is what it said if it did not pass. `hidden` says
    that it failed only in cases that the notebook does not show. `score` includes manual grading."""

    name: str
    title: str
    outcome: Outcome
    hidden: bool
    report: Report | None
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
class GradedText:
    """One answer in words of one student, as Markdown ("" if there is none), which a person grades: `open` says that
    nobody has yet."""

    name: str
    text: str
    score: float = 0.0
    max_score: float = 0.0
    comment: str = ""
    open: bool = True


@dataclass(frozen=True)
class GradedExercise:
    """One exercise of one student: the scores from the gradebook, and what the graded notebook holds.

    Args:
        title: "" if there is no graded notebook that can be read. Then only the scores and the notes are known.
        faults: by test, the traceback of the grader's fault in it.
        seconds: how long the notebook ran; 0 if that is not known.
        score: before the penalty; what a person still has to score counts as 0.
        by_hand: how many of its scores a person still has to give.
        grades: the points of its tests and texts.
        late: how late the chapter came, in words; "" if in time.
        feedback: the student's page; None if there is none.
    """

    student: str
    name: str
    title: str = ""
    answers: tuple[GradedAnswer, ...] = ()
    checks: tuple[GradedCheck, ...] = ()
    notes: tuple[Note, ...] = ()
    faults: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    score: float = 0.0
    max_score: float = 0.0
    penalty: float = 0.0
    texts: tuple[GradedText, ...] = ()
    by_hand: int = 0
    grades: tuple[CellScore, ...] = ()
    chapter: str = ""
    late: str = ""
    feedback: Path | None = None

    @property
    def is_read(self) -> bool:
        """Whether the graded notebook could be read."""
        return bool(self.title)

    @property
    def final(self) -> bool:
        """Whether no points are still to come."""
        return not self.by_hand and not is_open(self.notes, self.score, self.max_score)

    @property
    def untouched(self) -> bool:
        """Whether no answer in the graded notebook is more than the stub."""
        written = any(is_written(answer) for answer in self.answers) or any(text.text for text in self.texts)
        return self.is_read and not written

    @property
    def unread(self) -> bool:
        """Whether no file of the student's could be read, so that nothing is known of the answers."""
        return any(note.kind in UNREAD for note in self.notes)

    @property
    def only_reported(self) -> bool:
        """Whether a page has nothing but the notes to show: nothing was read, and no person gave points or comments."""
        comments_given = [part.comment for parts in (self.answers, self.checks, self.texts) for part in parts]
        return self.unread and not self.score and not any(comments_given)


def read_exercise(path: Path, student: str) -> GradedExercise:
    """The graded notebook at `path`.

    Raises:
        OSError, ValueError: it cannot be read.
    """
    return graded_exercise(_read(path), student, path.stem, path.parent.name)


def graded_exercise(notebook: NotebookNode, student: str, name: str, chapter: str) -> GradedExercise:
    """The graded `notebook` of the exercise `name`, without scores."""
    metadata = notebook.metadata.get(METADATA, {})
    unwritten = [
        cell.metadata.nbgrader.grade_id
        for cell in notebook.cells
        if is_text(cell) and cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)
    ]
    return GradedExercise(
        student,
        name,
        _title(notebook) or name,
        tuple(_answer(cell) for cell in notebook.cells if is_solution(cell) and cell.cell_type == "code"),
        tuple(_check(cell) for cell in notebook.cells if is_grade(cell) and cell.cell_type == "code"),
        read_notes(notebook),
        dict(metadata.get("faults", {})),
        float(metadata.get("seconds", 0)),
        texts=tuple(GradedText(name, "" if name in unwritten else text) for name, text in texts_of(notebook).items()),
        chapter=chapter,
    )


def _read(path: Path) -> NotebookNode:
    """The notebook at `path`, neither converted nor validated: grading wrote it, in the present format, and validating
    takes as long as all the rest of a class report."""
    try:
        notebook: NotebookNode = rejoin_lines(json.loads(path.read_text(encoding="utf-8"), object_hook=NotebookNode))
    except AttributeError:
        raise ValueError("It is JSON, but no notebook.") from None
    return notebook


def with_scores(exercise: GradedExercise, scores: Scores) -> GradedExercise:
    """`exercise` with its scores and comments from the gradebook, including those given by hand."""
    grades, comments = {grade.cell: grade for grade in scores.grades}, scores.comments

    def given(name: str) -> dict[str, Any]:
        if name not in grades:
            return {}
        score, most = grades[name].score, grades[name].max_score
        return {"score": score, "max_score": most, "comment": comments.get(name, "")}

    checks = tuple(replace(check, **given(check.name)) for check in exercise.checks)
    texts = (replace(text, **given(text.name)) for text in exercise.texts)
    texts = (replace(text, open=grades[text.name].by_hand) if text.name in grades else text for text in texts)
    answers = tuple(replace(answer, comment=comments.get(answer.name, "")) for answer in exercise.answers)
    return replace(
        exercise,
        checks=checks,
        answers=answers,
        texts=tuple(texts),
        score=scores.score,
        max_score=scores.max_score,
        penalty=scores.penalty,
        by_hand=scores.by_hand,
        grades=tuple(sorted(scores.grades, key=lambda grade: grade.cell)),
    )


def _title(notebook: NotebookNode) -> str:
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (found := re.match(r"# (.+)", cell.source)):
            return html.unescape(found[1]).strip()
    return ""


def _answer(cell: NotebookNode) -> GradedAnswer:
    magic, _, text = cell.source.partition("\n")
    return GradedAnswer(cell.metadata.nbgrader.grade_id, magic, text, report=_report(cell))


def _check(cell: NotebookNode) -> GradedCheck:
    name = cell.metadata.nbgrader.grade_id
    if is_ungraded(cell):
        return GradedCheck(name, name, Outcome.FAULT, False, None)
    outputs = cell.get("outputs", [])
    results = read_results(outputs)
    title = results[-1].title if results else name
    if not any(output.output_type == "error" for output in outputs):
        return GradedCheck(name, title, Outcome.PASSED, False, None)
    failed = (result.outcome for result in results if result.outcome is not Outcome.PASSED)
    return GradedCheck(name, title, next(failed, Outcome.FAILED), fails_hidden(cell), _report(cell))


def _report(cell: NotebookNode) -> Report | None:
    for output in reversed(cell.get("outputs", [])):
        data: Any = output.get("data", {}).get(MIME)
        if data:
            return from_data(data)
    return None


def is_written(answer: GradedAnswer) -> bool:
    """Whether the answer is more than the stub."""
    return answer.magic.startswith(MAGICS) and not is_stub(answer)


def is_stub(answer: GradedAnswer) -> bool:
    """Whether the answer still has the stub's mark."""
    return MARK in answer.text
