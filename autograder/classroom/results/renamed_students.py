"""Students who were graded under a folder's name that has been renamed since, as the report advises."""

from __future__ import annotations

import os
import shutil

from nbgrader.api import Gradebook, SubmittedAssignment

from ...exercises.authoring.nbgrader_app import AUTOGRADED, SUBMITTED
from ..classroom import Classroom
from ..names import strangers
from .feedback import FEEDBACK, feedback_path


def remove_former(room: Classroom, gradebook: Gradebook, chapter: str) -> tuple[str, ...]:
    """Remove `chapter` of those of whom only a folder was known that is gone, and them too, if nothing else of theirs
    is there; return who that is. What a person gave by hand is kept, and so are they."""
    removed = []
    for student in sorted(strangers(gradebook)):
        mine = [item for item in gradebook.student_submissions(student) if item.notebooks]
        here = [item for item in mine if item.assignment.name == chapter]
        if not here or os.path.lexists(room.root / SUBMITTED / student / chapter) or any(map(_is_by_hand, here)):
            continue
        if len(mine) > len(here):
            gradebook.remove_submission(chapter, student)
        else:
            gradebook.remove_student(student)
        for folder in (room.root / AUTOGRADED / student, room.root / FEEDBACK / student):
            shutil.rmtree(folder / chapter, ignore_errors=True)
        feedback_path(room, student, chapter).unlink(missing_ok=True)
        removed.append(student)
    return tuple(removed)


def _is_by_hand(submission: SubmittedAssignment) -> bool:
    return any(
        grade.manual_score is not None or grade.extra_credit
        for notebook in submission.notebooks
        for grade in notebook.grades
    ) or any(comment.manual_comment for notebook in submission.notebooks for comment in notebook.comments)
