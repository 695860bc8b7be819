"""The scores of a chapter in the gradebook, read for a whole class at once.

nbgrader's own objects ask the database for each property of each notebook, and its tables have no index for that: the
time of such a question grows with the class, and so does the number of questions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import Select, select


@dataclass(frozen=True)
class CellScore:
    """The points of one cell of one student, as given by a person or else by the grader. `by_hand` says that a person
    still has to give them; until then they count as 0."""

    cell: str
    score: float
    max_score: float
    by_hand: bool


@dataclass(frozen=True)
class Scores:
    """One notebook of one student: the points of its cells, the `penalty` for handing it in late, and a person's
    comments on its cells, by the cell's name."""

    max_score: float
    penalty: float
    grades: tuple[CellScore, ...]
    comments: Mapping[str, str]

    @property
    def score(self) -> float:
        """The points before the penalty."""
        return sum(grade.score for grade in self.grades)

    @property
    def by_hand(self) -> int:
        """How many cells a person still has to give points."""
        return sum(grade.by_hand for grade in self.grades)


def read_recorded(gradebook: Gradebook, chapter: str) -> dict[tuple[str, str], Scores]:
    """By student and exercise, what was recorded of `chapter`; nothing if the gradebook has no such chapter."""
    db = gradebook.db
    assignment = select(Assignment.id).where(Assignment.name == chapter).scalar_subquery()
    mine = SubmittedAssignment.assignment_id == assignment
    points: dict[str, float] = {}  # by cell
    of_notebook: dict[str, float] = defaultdict(float)
    for kind in (GradeCell, TaskCell):
        cells = select(kind.id, kind.notebook_id, kind.max_score).join(Notebook, kind.notebook_id == Notebook.id)
        for cell, notebook, most in db.execute(cells.where(Notebook.assignment_id == assignment)):
            points[cell] = most or 0.0
            of_notebook[notebook] += points[cell]
    grades: dict[str, list[CellScore]] = defaultdict(list)
    rows = select(Grade.notebook_id, Grade.cell_id, BaseCell.name, Grade.score, Grade.needs_manual_grade)
    for recorded, cell, name, score, by_hand in db.execute(_of_cells(rows, Grade).where(mine)):
        grades[recorded].append(CellScore(name, score, points.get(cell, 0.0), by_hand))
    comments: dict[str, dict[str, str]] = defaultdict(dict)
    rows = select(Comment.notebook_id, BaseCell.name, Comment.manual_comment)
    for recorded, name, comment in db.execute(_of_cells(rows, Comment).where(mine)):
        comments[recorded][name] = comment or ""
    notebooks = select(SubmittedAssignment.student_id, Notebook.name, Notebook.id)
    notebooks = notebooks.add_columns(SubmittedNotebook.id, SubmittedNotebook.late_submission_penalty)
    notebooks = _of_submissions(notebooks.select_from(SubmittedNotebook)).where(mine)
    notebooks = notebooks.join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
    return {
        (who, name): Scores(of_notebook[notebook], penalty or 0.0, tuple(grades[recorded]), comments[recorded])
        for who, name, notebook, recorded, penalty in db.execute(notebooks)
    }


def _of_cells(rows: Select[Any], kind: type[Grade] | type[Comment]) -> Select[Any]:
    """`rows` of `kind`, joined with the cells that they are of and the submissions that they belong to."""
    rows = rows.select_from(kind).join(BaseCell, kind.cell_id == BaseCell.id)
    return _of_submissions(rows.join(SubmittedNotebook, kind.notebook_id == SubmittedNotebook.id))


def _of_submissions(rows: Select[Any]) -> Select[Any]:
    """`rows` with submitted notebooks, joined with the submissions that they belong to."""
    return rows.join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
