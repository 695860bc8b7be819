"""Write the scores of one student's chapter into nbgrader's gradebook, and the graded notebooks beside it.

It writes what `nbgrader autograde` writes, but a student's chapter at once or not at all. Manual scores,
extra credit and comments stay.
"""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.utils import compute_checksum, is_grade, is_solution, is_task
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from ...cuda.errors import UsageError
from ...exercises.authoring.nbgrader_app import AUTOGRADED
from ..classroom import Classroom
from ..execution.replay import score_of
from ..submission.plain_files import copy_nbgraders_files
from ..submission.texts import texts_of
from .lateness import Penalties, lateness


@dataclass(frozen=True)
class ExecutedSubmission:
    """What one student handed in for a chapter, after its run: the notebooks by name, with the outputs of their
    `TaskResult`s; the folder that was handed in, and when."""

    student: str
    notebooks: Mapping[str, NotebookNode]
    folder: Path
    timestamp: datetime.datetime | None


class Recorder:
    """Writes into one open gradebook.

    Args:
        gradebook: stays open while this is in use.
        alone: within it, no other run records, and what another one recorded before is seen.
    """

    def __init__(
        self, room: Classroom, gradebook: Gradebook, chapter: str, alone: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._room, self._gradebook, self._chapter, self.alone = room, gradebook, chapter, alone
        self._penalties = Penalties(room)
        db = gradebook.db
        self._assignment = db.execute(select(Assignment.id).where(Assignment.name == chapter)).scalar_one()
        notebooks = db.execute(select(Notebook.name, Notebook.id).where(Notebook.assignment_id == self._assignment))
        self._notebooks: dict[str, str] = {name: notebook for name, notebook in notebooks}
        cells = select(BaseCell.notebook_id, BaseCell.name, BaseCell.type, BaseCell.id)
        cells = cells.where(BaseCell.notebook_id.in_(self._notebooks.values()))
        self._cells = {(notebook, name, kind): cell for notebook, name, kind, cell in db.execute(cells)}
        self._held = self._read_held()

    def holds(self, executed: ExecutedSubmission) -> bool:
        """Whether the gradebook holds all scores that `record` would write. A new one, or one restored from a backup,
        may not; another run may have recorded them since this recorder was created."""
        if self._held_all(executed):
            return True
        self._held |= self._read_held(executed.student)
        return self._held_all(executed)

    def _held_all(self, executed: ExecutedSubmission) -> bool:
        if executed.timestamp and self._held.get((executed.student, "")) != executed.timestamp:
            return False
        if executed.timestamp and not self._is_penalized_rightly(executed):
            return False
        values = [value for name, notebook in executed.notebooks.items() for value in self._values(name, notebook)]
        return all(
            self._held.get((executed.student, cell), _NOTHING) == value for kind, cell, value in values if kind is Grade
        )

    def record(self, executed: ExecutedSubmission) -> None:
        """Record all of `executed`.

        Raises:
            UsageError: the gradebook or the folder of graded notebooks cannot be written; what was recorded
                before is safe.
        """
        staged = self._room.root / AUTOGRADED / executed.student / f".{self._chapter}.new"
        try:
            _write(staged, executed)
            self._save(executed)
            _publish(staged, staged.with_name(self._chapter))
        except SQLAlchemyError as error:
            why = str(error.__cause__ or error).split("\n")[0]
            raise UsageError(f"The gradebook {self._room.shown_url} cannot be written ({why}). {_SAFE}") from None
        except OSError as error:
            what = error.filename or staged
            raise UsageError(f"{what} cannot be written ({error.strerror}). {_SAFE}") from None
        finally:
            self._gradebook.db.rollback()  # of what was not committed
            shutil.rmtree(staged, ignore_errors=True)

    def _read_held(self, student: str = "") -> dict[tuple[str, str], object]:
        """By student and cell, the automatic score; by student and "", when they handed in. Of all, or of one."""
        mine = SubmittedAssignment.assignment_id == self._assignment
        if student:
            mine &= SubmittedAssignment.student_id == student
        dates = select(SubmittedAssignment.student_id, SubmittedAssignment.timestamp).where(mine)
        scores = select(SubmittedAssignment.student_id, Grade.cell_id, Grade.auto_score).select_from(Grade)
        scores = scores.join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
        scores = scores.join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id).where(mine)
        held: dict[tuple[str, str], object] = {
            (student, ""): date for student, date in self._gradebook.db.execute(dates)
        }
        return held | {(student, cell): score for student, cell, score in self._gradebook.db.execute(scores)}

    def _values(
        self, name: str, notebook: NotebookNode
    ) -> Iterator[tuple[type[Grade] | type[Comment], str, float | str | None]]:
        """For each cell, its kind of row (`Grade` or `Comment`), its id, and the automatic score or comment."""
        for cell in notebook.cells:
            key = (self._notebooks[name], cell.metadata.get("nbgrader", {}).get("grade_id"))
            if is_grade(cell):
                yield Grade, self._cells[*key, "GradeCell"], score_of(cell)
            if is_task(cell):
                yield Grade, self._cells[*key, "TaskCell"], None
            if is_solution(cell) or is_task(cell):
                yield Comment, self._cells[*key, "TaskCell" if is_task(cell) else "SolutionCell"], _comment(cell)

    def _save(self, executed: ExecutedSubmission) -> None:
        submission = self._submission(executed)
        for name, notebook in executed.notebooks.items():
            submitted = self._submitted(submission, self._notebooks[name])
            as_before = self._unchanged_texts(executed, name)
            rows = {(type(row), row.cell_id): row for row in (*submitted.grades, *submitted.comments)}
            for kind, cell, value in self._values(name, notebook):
                row = rows.get((kind, cell))
                if row is None:  # the cell is newer than the submission
                    row = kind(cell_id=cell, notebook=submitted)
                    self._gradebook.db.add(row)
                if kind is Grade:
                    row.auto_score = value
                    read = row.manual_score is not None and row.needs_manual_grade is False and cell in as_before
                    row.needs_manual_grade = not read and (row.manual_score is not None or value is None)
                else:
                    row.auto_comment = value
            self._penalize(submission, submitted)
        self._gradebook.db.commit()

    def _unchanged_texts(self, executed: ExecutedSubmission, name: str) -> set[str]:
        """The cells whose text a person may have read, since it is as it was when it was recorded last."""
        folder = self._room.root / AUTOGRADED / executed.student / self._chapter
        try:
            before = texts_of(nbformat.read(folder / f"{name}.ipynb", as_version=4))
        except (OSError, ValueError):
            return set()
        now = texts_of(executed.notebooks[name])
        same = {key for key, text in now.items() if before.get(key) == text}
        kinds = ("GradeCell", "TaskCell")
        found = (self._cells.get((self._notebooks[name], key, kind)) for key in same for kind in kinds)
        return {cell for cell in found if cell}

    def _submission(self, executed: ExecutedSubmission) -> SubmittedAssignment:
        db = self._gradebook.db
        if db.get(Student, executed.student) is None:
            db.add(Student(id=executed.student))
        found = select(SubmittedAssignment).where(
            SubmittedAssignment.assignment_id == self._assignment, SubmittedAssignment.student_id == executed.student
        )
        submission = db.execute(found).scalar_one_or_none()
        if submission is None:
            submission = SubmittedAssignment(assignment_id=self._assignment, student_id=executed.student)
            db.add(submission)
        if executed.timestamp:
            submission.timestamp = executed.timestamp
        return submission

    def _submitted(self, submission: SubmittedAssignment, notebook: str) -> SubmittedNotebook:
        submitted = next((submitted for submitted in submission.notebooks if submitted.notebook_id == notebook), None)
        if submitted is None:
            submitted = SubmittedNotebook(notebook_id=notebook, assignment=submission)
            for (of, _, kind), cell in self._cells.items():
                if of == notebook and kind in ("GradeCell", "TaskCell"):
                    Grade(cell_id=cell, notebook=submitted)
                if of == notebook and kind in ("SolutionCell", "TaskCell"):
                    Comment(cell_id=cell, notebook=submitted)
            self._gradebook.db.add(submitted)
        return submitted

    def _is_penalized_rightly(self, executed: ExecutedSubmission) -> bool:
        """Whether the penalties are those of today's due dates, scores by hand, and function."""
        submission = self._submission(executed)
        return all(
            submitted.late_submission_penalty == self._penalty(submission, submitted)
            for submitted in submission.notebooks
        )

    def _penalize(self, submission: SubmittedAssignment, submitted: SubmittedNotebook) -> None:
        db = self._gradebook.db
        db.flush()
        db.refresh(submitted)  # the database computes its score
        submitted.late_submission_penalty = self._penalty(submission, submitted)

    def _penalty(self, submission: SubmittedAssignment, submitted: SubmittedNotebook) -> float | None:
        return self._penalties.of(submission.student_id, lateness(submission.assignment, submission), submitted)


_NOTHING = object()
_SAFE = "Fix that and run the same command again: nothing that was graded so far is lost."


def _comment(cell: NotebookNode) -> str | None:
    untouched = cell.metadata.nbgrader.get("checksum") == compute_checksum(cell) and not is_task(cell)
    return "No response." if untouched else None


def _write(folder: Path, executed: ExecutedSubmission) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, notebook in executed.notebooks.items():
        nbformat.write(notebook, folder / f"{name}.ipynb")
    copy_nbgraders_files(executed.folder, folder)
    for path in folder.iterdir():
        path.chmod(0o444)


def _publish(staged: Path, target: Path) -> None:
    """Replace the folder `target` by `staged`."""
    old = target.with_name(f".{target.name}.old")
    shutil.rmtree(old, ignore_errors=True)  # left by a run that was killed
    if target.exists():
        target.rename(old)
    staged.rename(target)
    shutil.rmtree(old, ignore_errors=True)
