"""A class as a grid: a line for each student, with each exercise, the total, and how late it came."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from nbgrader.api import Gradebook

from .lateness import lateness

#: What the signs in a grid mean.
SIGNS = {
    "\u2013": "nothing was handed in",
    "\u2212": "points for late submission",
    "\u2205": "handed in, but empty",
    "?": "not final, because a person still has to give points, a file could not be read or collected, or it is in "
    "doubt which answer is meant",
    "*": "something was odd; a note or the feedback says what",
}
_NOTHING, _MINUS, _EMPTY, _OPEN, _ODD = SIGNS


@dataclass(frozen=True)
class Cell:
    """One exercise of one student: points before `penalty`, and how many of its scores a person still has to give;
    `oddities` says what was odd, in a few words. `score` is None where nothing was handed in; `empty` says that no
    answer was written, `ungraded` that a file was left out, or in doubt."""

    score: float | None
    penalty: float = 0.0
    by_hand: int = 0
    oddities: str = ""
    empty: bool = False
    ungraded: bool = False

    @property
    def final(self) -> bool:
        """Whether no points are still to come."""
        return not self.by_hand and not self.ungraded

    @property
    def text(self) -> str:
        """The points, and the `SIGNS` that belong to them."""
        points = _NOTHING if self.score is None else f"{self.score:g}"
        penalty = f" {_MINUS} {self.penalty:g}" if self.penalty else ""
        return points + penalty + _EMPTY * self.empty + _OPEN * (not self.final) + _ODD * bool(self.oddities)


@dataclass(frozen=True)
class Line:
    """One student: `cells` in the order of the exercises; `total` after penalties; `late` in words, "" if in time.
    `ungraded` says that a file was left out, whatever exercise it is of."""

    student: str
    name: str
    cells: tuple[Cell, ...]
    late: str
    ungraded: bool = False

    @property
    def total(self) -> float:
        return sum((cell.score or 0) - cell.penalty for cell in self.cells)

    @property
    def total_text(self) -> str:
        """The total, and whether it is final."""
        final = not self.ungraded and all(cell.final for cell in self.cells)
        return f"{self.total:g}{'' if final else _OPEN}"

    @property
    def by_hand(self) -> int:
        return sum(cell.by_hand for cell in self.cells)


def legend(lines: Iterable[Line]) -> str:
    """What those of the `SIGNS` mean that stand in `lines`."""
    shown = "".join(text for line in lines for text in (*(cell.text for cell in line.cells), line.total_text))
    return " ".join(f"{sign}: {meaning}." for sign, meaning in SIGNS.items() if sign in shown)


def make_lines(
    cells: Mapping[tuple[str, str], Cell],
    exercises: Sequence[str],
    names: Mapping[str, str],
    late: Mapping[str, str],
    ungraded: Collection[str] = (),
) -> tuple[Line, ...]:
    """One line for each student in `cells`, which are by student and exercise; of the students `ungraded`, a file was
    left out."""
    students = sorted({student for student, _ in cells})
    return tuple(
        Line(
            student,
            names.get(student, ""),
            tuple(cells.get((student, exercise), Cell(None)) for exercise in exercises),
            late.get(student, ""),
            student in ungraded,
        )
        for student in students
    )


def late_students(gradebook: Gradebook, chapter: str) -> dict[str, str]:
    """Who handed in late, and by how much, in words."""
    assignment = gradebook.find_assignment(chapter)
    found = {item.student_id: lateness(assignment, item) for item in assignment.submissions}
    return {student: in_words(late) for student, late in found.items() if late}


def in_words(late: datetime.timedelta) -> str:
    """Such as "1 d 6 h", "3 h 20 min" or "1 min": begun minutes count."""
    minutes = -(-late // datetime.timedelta(minutes=1))
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    parts = [(days, "d"), (hours, "h"), (minutes, "min")]
    return " ".join(f"{number} {unit}" for number, unit in parts if number)
