"""Answers in words: a manually graded Markdown cell and a task, from release to feedback."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import inputs
import nbformat
import pytest
from nbformat import NotebookNode
from small_course import Course, Notebook, answer, gradebook_rows, source_notebook

from autograder.grading.classroom import Classroom, open_classroom
from autograder.grading.execution.preprocessors import HideTests
from autograder.grading.grade import grade
from autograder.grading.results.class_rows import read_class
from autograder.grading.results.feedback import write_feedback
from autograder.grading.submission.answers import MAX_ANSWER_BYTES, NoteKind
from autograder.grading.submission.graft import read_notes, rebuild
from autograder.grading.submission.texts import texts_of

pytestmark = [inputs.grading, pytest.mark.starts_early]

ASKED, WHY, TASK = "Why does it pad?", "answer-why", "task-draw"


def cells() -> list[NotebookNode]:
    marks = {"schema_version": 3, "locked": False, "solution": False, "grade": False, "task": False}
    text = {**marks, "grade": True, "solution": True, "points": 3, "grade_id": WHY, "cell_type": "markdown"}
    task = {**marks, "task": True, "locked": True, "points": 2, "grade_id": TASK, "cell_type": "markdown"}
    solution = "### BEGIN SOLUTION\nBecause of the banks.\n### END SOLUTION"
    drawn = "Draw the banks below.\n=== BEGIN MARK SCHEME ===\n2 for a drawing\n=== END MARK SCHEME ==="
    return [
        nbformat.v4.new_markdown_cell(ASKED, id="asked"),
        nbformat.v4.new_markdown_cell(solution, id=WHY, metadata={"nbgrader": text}),
        nbformat.v4.new_markdown_cell(drawn, id=TASK, metadata={"nbgrader": task}),
        nbformat.v4.new_markdown_cell("The end.", id="end"),
    ]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Course:
    course = Course(tmp_path_factory.mktemp("texts"))
    notebook = source_notebook()
    notebook.cells += cells()
    course.add("words", "one", notebook)
    course.nbgrader(("generate_assignment", "words"))
    return course


@pytest.fixture
def room(asked: Course, tmp_path: Path) -> Classroom:
    return open_classroom(shutil.copytree(asked.root, tmp_path / "course"))


def written(course: Course, why: str, *below: str) -> Notebook:
    notebook = course.released("words", "one")
    answer(notebook, "first", "right")
    answer(notebook, "second", "right second")
    at = next(i for i, cell in enumerate(notebook["cells"]) if cell["id"] == TASK)
    code: dict[str, Any] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    notebook["cells"][at + 1 : at + 1] = [{**code, "id": f"mine-{i}", "source": text} for i, text in enumerate(below)]
    notebook["cells"][at - 1]["source"] = why
    return notebook


def scores(room: Classroom) -> dict[str, tuple[float, int]]:
    return {row.student: (row.score, row.by_hand) for row in read_class(room, "words")}


def give(room: Classroom, name: str, score: float) -> None:
    with room.gradebook() as gradebook:
        found = gradebook.find_grade(name, "one", "words", "ada")
        found.manual_score, found.needs_manual_grade = score, False
        gradebook.db.commit()


def test_release_shows_neither_answer_nor_marking_scheme(asked: Course) -> None:
    text = json.dumps(asked.released("words", "one"))
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
    assert "Nothing was written." in pages[1]


def test_nbgraders_own_autograde_agrees(room: Classroom, tmp_path: Path) -> None:
    course = Course(room.root)
    course.submit("ada", "words", "one", written(course, "Since.", "A drawing."))
    stock = Course(shutil.copytree(room.root, tmp_path / "stock"))
    stock.nbgrader(("autograde", "words"))
    grade(room, "words")
    assert gradebook_rows(room.root) == gradebook_rows(stock.root)
    assert texts_of(course.graded("ada", "words", "one")) == texts_of(stock.graded("ada", "words", "one"))


def test_without_ids_a_text_is_known_by_its_question(asked: Course, tmp_path: Path) -> None:
    notebook = written(asked, "Since.")
    for cell in notebook["cells"]:
        del cell["id"]
        cell["metadata"] = {}
    (tmp_path / "one.ipynb").write_text(json.dumps(notebook))
    released = nbformat.read(asked.root / "exercises" / "words" / "one.ipynb", as_version=4)
    assert texts_of(rebuild(released, tmp_path / "one.ipynb"))[WHY] == "Since."


def test_half_a_marker_in_a_text_stops_no_feedback(asked: Course, tmp_path: Path) -> None:
    half = "### BEGIN HIDDEN TESTS"
    (tmp_path / "one.ipynb").write_text(json.dumps(written(asked, half, half)))
    released = nbformat.read(asked.root / "exercises" / "words" / "one.ipynb", as_version=4)
    shown, _ = HideTests().preprocess(rebuild(released, tmp_path / "one.ipynb"), {})
    assert half in texts_of(shown)[WHY] and half in texts_of(shown)[TASK]


def test_an_endless_text_is_left_out(asked: Course, tmp_path: Path) -> None:
    (tmp_path / "one.ipynb").write_text(json.dumps(written(asked, "x" * (MAX_ANSWER_BYTES + 1), "`" * 70_000)))
    released = nbformat.read(asked.root / "exercises" / "words" / "one.ipynb", as_version=4)
    notebook = rebuild(released, tmp_path / "one.ipynb")
    assert [note.kind for note in read_notes(notebook)] == [NoteKind.NO_ANSWER] * 2
