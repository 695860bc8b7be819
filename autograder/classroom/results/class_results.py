"""A class's results: for each student and exercise, the scores from the gradebook and the graded notebook."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

from ...cuda.errors import UsageError
from ...exercises.authoring.nbgrader_app import AUTOGRADED, SUBMITTED
from ..classroom import Classroom, can_be_recorded
from ..submission.notes import Note, NoteKind
from .feedback import FEEDBACK, feedback_path, unreadable
from .outcomes import GradedExercise, read_exercise, with_scores
from .scores import read_recorded


def read_class(room: Classroom, chapter: str) -> tuple[GradedExercise, ...]:
    """Return the exercises of one chapter of a class, by student and exercise, including those that were not graded.

    Raises:
        UsageError: nothing of this chapter was graded yet.
    """
    if not room.has_gradebook:
        raise UsageError("There is no gradebook here yet: run `autograder grade <chapter>` first.")
    root = room.root
    with room.gradebook() as gradebook:
        names = [assignment.name for assignment in gradebook.assignments]
        if chapter not in names:
            has = ", ".join(names) or "none"
            raise UsageError(f"The gradebook {room.shown_url} has no chapter '{chapter}' (it has: {has}).")
        scores = read_recorded(gradebook, chapter)
        exercises = [(n.name, n.max_score) for n in gradebook.find_assignment(chapter).notebooks]
    graded = []
    for (student, name), score in scores.items():
        if any((root / step / student / chapter).is_dir() for step in (SUBMITTED, AUTOGRADED)):
            pages = (feedback_path(room, student, chapter), root / FEEDBACK / student / chapter / f"{name}.html")
            page = next(filter(Path.exists, pages), None)
            graded.append(replace(with_scores(_read(root, chapter, student, name), score), feedback=page))
    known = {item.student for item in graded}
    folders = {path.parent.name for path in (root / SUBMITTED).glob(f"*/{chapter}") if path.is_dir()}
    rest = [
        GradedExercise(student, name, max_score=points, chapter=chapter, notes=(_not_graded(chapter, student),))
        for student in set(filter(can_be_recorded, folders)) - known
        for name, points in exercises
    ]
    return tuple(sorted([*graded, *rest], key=lambda item: (item.student, item.name)))


def _read(root: Path, chapter: str, student: str, name: str) -> GradedExercise:
    """A student's graded notebook, without its scores; if there is none that can be read, with a note on why."""
    path = root / AUTOGRADED / student / chapter / f"{name}.ipynb"
    try:
        return read_exercise(path, student)
    except FileNotFoundError:
        note = _not_graded(chapter, student)
    except (OSError, ValueError):
        note = Note(NoteKind.NOT_GRADED, unreadable(path.relative_to(root), chapter))
    return GradedExercise(student, name, notes=(note,), chapter=chapter)


def _not_graded(chapter: str, student: str) -> Note:
    again = f"autograder grade {chapter} --student={shlex.quote(student)} --force"
    return Note(NoteKind.NOT_GRADED, f"Handed in, but not graded: run `{again}` and read what it prints.")
