"""A class's notebooks, one row each: the score from the gradebook, and what was odd about the submission."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from ...cuda.errors import UsageError
from ...exercises.authoring.nbgrader_app import AUTOGRADED, SUBMITTED
from ..classroom import Classroom, can_be_recorded
from ..submission.notes import Note, NoteKind
from .feedback import unreadable
from .outcomes import GradedExercise, read_exercise, with_scores
from .scores import CellScore, Scores, read_recorded


@dataclass(frozen=True)
class Row:
    """One student's notebook. `by_hand` counts the test cells that still need a manual grade;
    they count as 0 in `score` until then. `feedback` is None where none was generated. `late` says how late the chapter
    came, in words; "" if in time. `grades` are the points of its tests and texts."""

    student: str
    chapter: str
    notebook: str
    score: float
    max_score: float
    by_hand: int = 0
    notes: tuple[Note, ...] = ()
    feedback: Path | None = None
    penalty: float = 0.0
    late: str = ""
    grades: tuple[CellScore, ...] = ()


def read_class(room: Classroom, chapter: str) -> tuple[Row, ...]:
    """The rows of one chapter, by student and notebook.

    Raises:
        UsageError: nothing of this chapter was graded yet.
    """
    return read_graded(room, chapter)[0]


def read_graded(room: Classroom, chapter: str) -> tuple[tuple[Row, ...], list[GradedExercise]]:
    """The rows of one chapter, and the graded notebooks that can be read, both by student and notebook.

    Raises:
        UsageError: nothing of this chapter was graded yet.
    """
    if not room.has_gradebook:
        raise UsageError("There is no gradebook here yet: run `autograder grade <chapter>` first.")
    root = room.root
    with room.gradebook() as gradebook:
        names = [assignment.name for assignment in gradebook.assignments]
        if chapter not in names:
            known = ", ".join(names) or "none"
            raise UsageError(f"The gradebook {room.shown_url} has no chapter '{chapter}' (it has: {known}).")
        scores = read_recorded(gradebook, chapter)
        exercises = [(n.name, n.max_score) for n in gradebook.find_assignment(chapter).notebooks]
    rows, graded = [], []
    for (student, name), own in sorted(scores.items(), key=lambda one: one[0]):
        if any((root / step / student / chapter).is_dir() for step in (SUBMITTED, AUTOGRADED)):
            found = _graded(root, chapter, student, name)
            if isinstance(found, GradedExercise):
                graded.append(with_scores(found, own))
                rows.append(_row(root, chapter, student, name, own, found.notes))
            else:
                rows.append(_row(root, chapter, student, name, own, (found,)))
    known_students = {row.student for row in rows}
    handed_in = {path.parent.name for path in (root / "submitted").glob(f"*/{chapter}") if path.is_dir()}
    handed_in = set(filter(can_be_recorded, handed_in))
    rest = [
        Row(student, chapter, name, 0, points, notes=(_not_graded(chapter, student),))
        for student in handed_in - known_students
        for name, points in exercises
    ]
    return tuple(sorted([*rows, *rest], key=lambda row: (row.student, row.notebook))), graded


def _graded(root: Path, chapter: str, student: str, name: str) -> GradedExercise | Note:
    """A student's graded notebook, without its scores; or a note on why there is none."""
    path = root / AUTOGRADED / student / chapter / f"{name}.ipynb"
    if not path.exists():
        return _not_graded(chapter, student)
    try:
        return read_exercise(path, student)
    except (OSError, ValueError):
        return Note(NoteKind.NOT_GRADED, unreadable(path.relative_to(root), chapter))


def _row(root: Path, chapter: str, student: str, name: str, scores: Scores, notes: tuple[Note, ...]) -> Row:
    own, stock = (root / "feedback" / student / name for name in (f"{chapter}.html", f"{chapter}/{name}.html"))
    feedback = own if own.exists() else stock
    return Row(
        student,
        chapter,
        name,
        score=scores.score,
        max_score=scores.max_score,
        by_hand=scores.by_hand,
        notes=notes,
        feedback=feedback if feedback.exists() else None,
        penalty=scores.penalty,
        grades=tuple(sorted(scores.grades, key=lambda grade: grade.cell)),
    )


def _not_graded(chapter: str, student: str) -> Note:
    again = f"autograder grade {chapter} --student={shlex.quote(student)} --force"
    return Note(NoteKind.NOT_GRADED, f"Handed in, but not graded: run `{again}` and read what it prints.")
