"""Whether `autograder grade` says that somebody must look."""

from __future__ import annotations

import pytest

from autograder.grading.grade import Summary
from autograder.grading.results.progress import needs_a_person
from autograder.grading.submission.answers import Note, NoteKind


@pytest.mark.parametrize("kind", NoteKind)
def test_only_what_costs_a_student_points_needs_a_person(kind: NoteKind) -> None:
    summary = Summary(("ada",), (), (), (("ada", "tiles", Note(kind, "what happened")),), 1, 0)
    assert needs_a_person(summary) == (kind in (NoteKind.GRADER_FAULT, NoteKind.UNREADABLE))
