"""Due dates, for a chapter and for one student, and what being late costs: all in nbgrader's own gradebook."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Collection
from typing import Any

from nbgrader.api import Assignment, Gradebook, MissingEntry, SubmittedAssignment
from nbgrader.plugins import BasePlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import Callable as CallableTrait

from ...cuda.errors import UsageError
from ..classroom import Classroom, date_of
from .scores import read_recorded


class Penalties:
    """What being late costs in the course of `room`, as nbgrader applies its rule."""

    def __init__(self, room: Classroom) -> None:
        self._step = room.step(AssignLatePenalties)
        self._step.init_plugin()

    def of(self, student: str, late: datetime.timedelta | None, scored: Any) -> float | None:
        """The penalty of a notebook, which was `scored`, and came `late`; None if it did not.

        Raises:
            UsageError: the course's function fails, or returns no number.
        """
        if not late:
            return None
        penalty = self._step.plugin_inst.late_submission_penalty(student, scored.score, late.total_seconds())
        return None if penalty is None else float(self._step._check_late_penalty(scored, penalty))


def with_old_penalties(room: Classroom, gradebook: Gradebook, chapter: str) -> list[str]:
    """The students whose penalties were recorded before their points, their due date or the course's rule changed.

    Raises:
        UsageError: the course's function fails, or returns no number.
    """
    penalties, assignment = Penalties(room), gradebook.find_assignment(chapter)
    late = {item.student_id: lateness(assignment, item) for item in assignment.submissions}
    scores = read_recorded(gradebook, chapter).items()
    now = {key: penalties.of(key[0], late[key[0]], recorded) or 0.0 for key, recorded in scores}
    return sorted({key[0] for key, recorded in scores if not math.isclose(now[key], recorded.penalty, abs_tol=1e-9)})


class LatePenalty(BasePlugin):  # type: ignore[misc]
    """What being late costs, as nbgrader requests it: `points` of `nbgrader_config.py`."""

    points = CallableTrait(lambda score, late: 0.0, help="Points to take, of a score and a timedelta.").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """The points that an exercise of `score` loses, from 0 to `score`.

        Raises:
            UsageError: the course's function fails, or returns no number.
        """
        try:
            taken = float(self.points(score, datetime.timedelta(seconds=total_seconds_late)))
        except Exception as error:
            raise UsageError(
                f"late_penalty in nbgrader_config.py failed ({type(error).__name__}: {error}): "
                "it takes a score and a timedelta, and returns points."
            ) from None
        return min(max(taken, 0.0), score)


def set_due(room: Classroom, chapter: str, text: str, students: Collection[str] = ()) -> datetime.datetime:
    """Set when `chapter` is due, for everybody or for `students` alone; return that date, in UTC.

    Args:
        text: a date, in this machine's time unless it names a zone: "2026-03-01 23:59" or "2026-03-01 23:59 UTC".
            Without a time, it is the end of that day.

    Raises:
        UsageError: it is no date, there is no such chapter or student, or `students` get a date of their own before
            everybody has one.
    """
    try:
        when = date_of(re.sub(r"^(\d{4}-\d\d-\d\d)(?=(?: ?UTC)?$)", r"\1 23:59:59", text.strip()))
    except ValueError:
        raise UsageError(f"'{text}' is not a date: write it as 2026-03-01 23:59, perhaps followed by UTC.") from None
    with room.gradebook() as gradebook:
        try:
            assignment = gradebook.find_assignment(chapter)
        except MissingEntry:
            known = ", ".join(sorted(item.name for item in gradebook.assignments)) or "none"
            raise UsageError(f"The gradebook has no chapter '{chapter}' (it has: {known}).") from None
        if not students:
            assignment.duedate = when
        elif assignment.duedate is None:
            raise UsageError(f"{chapter} has no due date yet: set everybody's first, without --student.")
        for student in students:
            try:
                gradebook.find_student(student)
            except MissingEntry:
                raise UsageError(f"The gradebook has no student '{student}'.") from None
            submission = gradebook.update_or_create_submission(chapter, student)
            submission.extension = when - assignment.duedate
        gradebook.db.commit()
    return when


def lateness(assignment: Assignment, submission: SubmittedAssignment | None) -> datetime.timedelta | None:
    """How late a chapter came, by its due date or the student's own; None where nothing says."""
    if submission is None or submission.timestamp is None or assignment.duedate is None:
        return None
    extension = submission.extension or datetime.timedelta()
    late: datetime.timedelta = submission.timestamp - assignment.duedate - extension
    return max(late, datetime.timedelta())
