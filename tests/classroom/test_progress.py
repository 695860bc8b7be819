"""Whether `autograder grade` says that somebody must look, and what it leaves on a terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from autograder.classroom.classroom import Refused
from autograder.classroom.commands.progress import Display, needs_a_person, summary_lines
from autograder.classroom.grade import Summary
from autograder.classroom.submission.notes import Note, NoteKind


@pytest.mark.parametrize("kind", NoteKind)
def test_only_what_costs_a_student_points_needs_a_person(kind: NoteKind) -> None:
    summary = Summary(("ada",), (), (), (("ada", "tiles", Note(kind, "what happened")),), 1, 0)
    assert needs_a_person(summary) == (kind in (NoteKind.GRADER_FAULT, NoteKind.UNREADABLE))


def test_who_lacks_a_notebook_is_named() -> None:
    missing = tuple((f"s{n}", "tiles", Note(NoteKind.MISSING, "not there")) for n in range(7))
    summary = Summary(("s0",), (), (), missing, 1, 0, names={"s0": "Ada Weber", "s1": ""})
    _, line = summary_lines(summary)
    assert line == (
        "7 notebooks not handed in: Ada Weber (s0): tiles, s1: tiles, s2: tiles, s3: tiles, s4: tiles and 2 more."
    )


def test_notes_call_students_by_name() -> None:
    note = Note(NoteKind.RECOVERED, "what happened")
    summary = Summary((), (), (Refused("s0", "why"),), (("s0", "tiles", note),), 1, 0, names={"s0": "Ada Weber"})
    assert list(summary_lines(summary))[1:] == [
        "not graded: Ada Weber (s0): why",
        "recovered: Ada Weber (s0), tiles: what happened",
    ]


def test_the_bar_is_gone_when_all_is_done() -> None:
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, width=100, _environ={"TERM": "xterm"})
    with Display(console, "words").shown() as display:
        display.begin(1, 0)
        display.started("one")
        display.finished("one", failed=False)
    erased = "\x1b[2K"
    assert "0 running" in shown.getvalue() and shown.getvalue().endswith(erased)
