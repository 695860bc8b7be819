"""Answers in words: a manually graded Markdown cell and a task, from release to feedback."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import inputs
import nbformat
import pytest
from requested_texts import TASK, WHY, scores, written
from small_course import Course, gradebook_rows

from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.execution.preprocessors import HideTests
from autograder.classroom.grade import grade
from autograder.classroom.results.feedback import write_feedback
from autograder.classroom.submission.exercise import Exercise
from autograder.classroom.submission.folder import SubmittedFolder
from autograder.classroom.submission.notes import NoteKind, read_notes
from autograder.classroom.submission.texts import MAX_ANSWER_BYTES, texts_of

pytestmark = [inputs.grading, pytest.mark.starts_early]


@pytest.fixture
def room(requested: Course, tmp_path: Path) -> Classroom:
    return open_classroom(shutil.copytree(requested.root, tmp_path / "course"))


def give(room: Classroom, name: str, score: float) -> None:
    with room.gradebook() as gradebook:
        found = gradebook.find_grade(name, "one", "words", "ada")
        found.manual_score, found.needs_manual_grade = score, False
        gradebook.db.commit()


def test_release_shows_neither_answer_nor_marking_scheme(requested: Course) -> None:
    text = json.dumps(requested.released("words", "one"))
    assert "Because of" not in text and "MARK SCHEME" not in text and "YOUR ANSWER HERE" in text


def test_texts_are_kept_scored_and_returned(room: Classroom) -> None:
    course = Course(room.root)
    course.submit("ada", "words", "one", written(course, "Since *32* banks <b>wait</b>.", "import os\nos.abort()"))
    course.submit("bob", "words", "one", course.released("words", "one"))
    assert not grade(room, "words").refused
    graded = course.graded("ada", "words", "one")
    fenced = "```\nimport os\nos.abort()\n```"
    assert texts_of(graded) == {WHY: "Since *32* banks <b>wait</b>.", TASK: fenced}
    assert not any("os.abort" in cell.source for cell in graded.cells if cell.cell_type == "code")
    assert scores(room) == {"ada": (4, 2), "bob": (0, 1)}  # nbgrader gives nothing for an untouched text by itself
    give(room, WHY, 2.5)
    give(room, TASK, 1)
    assert scores(room)["ada"] == (7.5, 0)
    grade(room, "words", force=True)
    assert scores(room)["ada"] == (7.5, 0)  # nobody needs to read it again
    course.submit("ada", "words", "one", written(course, "Another text.", "import os\nos.abort()"))
    assert grade(room, "words").recorded == ("ada",)  # though no code changed
    assert scores(room)["ada"] == (7.5, 1)
    assert texts_of(course.graded("ada", "words", "one"))[WHY] == "Another text."
    pages = [path.read_text() for path in write_feedback(room, "words")]
    assert "Another text." in pages[0] and "2.5 of 3" in pages[0] and "read by your instructor later" in pages[0]
    assert "Nothing was written." in pages[1] and f"{WHY}</th><td>left empty</td>" in pages[1]
    assert "read by your instructor<" not in pages[1] and "No response." not in pages[1]


def test_nbgraders_own_autograde_agrees(room: Classroom, tmp_path: Path) -> None:
    course = Course(room.root)
    course.submit("ada", "words", "one", written(course, "Since.", "A drawing."))
    stock = Course(shutil.copytree(room.root, tmp_path / "stock"))
    stock.nbgrader(("autograde", "words"))
    grade(room, "words")
    assert gradebook_rows(room.root) == gradebook_rows(stock.root)
    assert texts_of(course.graded("ada", "words", "one")) == texts_of(stock.graded("ada", "words", "one"))


def test_without_ids_a_text_is_known_by_its_question(requested: Course, tmp_path: Path) -> None:
    notebook = written(requested, "Since.")
    for cell in notebook["cells"]:
        del cell["id"]
        cell["metadata"] = {}
    (tmp_path / "one.ipynb").write_text(json.dumps(notebook))
    released = nbformat.read(requested.root / "exercises" / "words" / "one.ipynb", as_version=4)
    assert texts_of(SubmittedFolder(tmp_path, {"one": Exercise(released)}).rebuild("one"))[WHY] == "Since."


def test_half_a_marker_in_a_text_stops_no_feedback(requested: Course, tmp_path: Path) -> None:
    half = "### BEGIN HIDDEN TESTS"
    (tmp_path / "one.ipynb").write_text(json.dumps(written(requested, half, half)))
    released = nbformat.read(requested.root / "exercises" / "words" / "one.ipynb", as_version=4)
    shown, _ = HideTests().preprocess(SubmittedFolder(tmp_path, {"one": Exercise(released)}).rebuild("one"), {})
    assert half in texts_of(shown)[WHY] and half in texts_of(shown)[TASK]


def test_an_endless_text_is_left_out(requested: Course, tmp_path: Path) -> None:
    (tmp_path / "one.ipynb").write_text(json.dumps(written(requested, "x" * (MAX_ANSWER_BYTES + 1), "`" * 70_000)))
    released = nbformat.read(requested.root / "exercises" / "words" / "one.ipynb", as_version=4)
    notebook = SubmittedFolder(tmp_path, {"one": Exercise(released)}).rebuild("one")
    assert [note.kind for note in read_notes(notebook)] == [NoteKind.NO_ANSWER] * 2
