"""The stock nbgrader commands on a small course without the emulator, compared with `autograder grade`."""

from __future__ import annotations

import csv
import io
import shutil
import sqlite3
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import inputs
import nbformat
import pytest
from small_course import Course, Notebook, answer, gradebook_rows, message, source_notebook

from autograder.classroom.classroom import open_classroom
from autograder.classroom.grade import grade
from autograder.classroom.results import class_report, class_results, class_terminal
from autograder.classroom.results.class_grid import make_lines
from autograder.classroom.results.feedback import write_feedback
from autograder.classroom.results.outcomes import GradedExercise
from autograder.classroom.submission.notes import NoteKind
from autograder.cuda.errors import UsageError

pytestmark = [inputs.grading, pytest.mark.starts_early, pytest.mark.rare]

STDERR = "import sys\nprint('something odd', file=sys.stderr)"
FAULTS = ("1/0", "import time\ntime.sleep(60)", "import os\nos._exit(1)", 'check("first", "right")')


def with_answers(notebook: Notebook, first: str, second: str) -> Notebook:
    notebook = deepcopy(notebook)
    answer(notebook, "first", first)
    answer(notebook, "second", second)
    return notebook


def submit_everything(course: Course) -> None:
    """One submission of chapter `words` for each way in which it can go wrong."""
    released = course.released("words", "one")
    right = with_answers(released, "right", "right second")
    course.submit("right", "words", "one", right)
    half = with_answers(released, "right", "second")
    for cell in half["cells"]:
        cell["metadata"].pop("tags", None)
    course.submit("half", "words", "one", half)
    course.submit("untouched", "words", "one", released)
    course.submit("markers", "words", "one", with_answers(released, "### BEGIN HIDDEN TESTS", "right second"))
    course.submit("notjson", "words", "one", b"{")
    course.submit("misnamed", "words", "one-Copy1", right)
    (course.root / "submitted" / "nothing" / "words").mkdir(parents=True)
    (course.root / "submitted" / "half" / "words" / "timestamp.txt").write_text("2026-03-01 12:00:00 UTC")

    wrong_schema = with_answers(released, "right", "no")
    for cell in wrong_schema["cells"]:
        cell["metadata"]["nbgrader"]["schema_version"] = 99
    course.submit("schema", "words", "one", wrong_schema)

    twice = with_answers(released, "right", "right second")
    twice["cells"] += [deepcopy(cell) for cell in twice["cells"]]
    course.submit("twice", "words", "one", twice)

    cheat = deepcopy(released)
    code: Notebook = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "id": "mine"}
    cheat["cells"].insert(2, {**code, "source": "check = lambda *_: print('holds')"})
    cheat["cells"].append({**code, "id": "mine2", "source": "import os; os._exit(0)"})
    answer(cheat, "first", "nothing")
    path = course.submit("cheat", "words", "one", cheat)
    # A module that would be imported in place of the real one if the folder were on the path.
    (path.parent / "numpy.py").write_text("raise SystemExit('a module of the student was imported')")
    (path.parent / "notes.txt").symlink_to(course.root / "solutions" / "words" / "one.ipynb")
    (path.parent / "more").mkdir()
    (path.parent / "more" / "book").symlink_to(course.root / "gradebook.db")


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    course = Course(tmp_path_factory.mktemp("course"))
    course.add("words", "one", source_notebook(STDERR))
    course.add("faults", "faulty", source_notebook(*FAULTS))
    course.nbgrader(("generate_assignment", "words"), ("generate_assignment", "faults"))
    submit_everything(course)
    solved = with_answers(course.released("faults", "faulty"), "right", "right second")
    course.submit("right", "faults", "faulty", solved)
    shutil.copytree(course.root, course.root.with_name("ours"))
    course.nbgrader(
        ("autograde", "words"),
        ("autograde", "faults", "--Execute.timeout=4"),
        ("generate_feedback", "words"),
        ("generate_feedback", "faults"),
        ("export", "--to=grades.csv"),
    )
    yield course


@pytest.fixture(scope="module")
def ours(graded: Course) -> Iterator[Course]:
    """A copy of the course from before it was graded, graded by `autograder grade`."""
    course = Course(graded.root.with_name("ours"))
    room = open_classroom(course.root)
    grade(room, "words")
    room.app.config.Execute.timeout = 4
    grade(room, "faults")
    yield course


def test_our_own_command_gives_the_same_gradebook(graded: Course, ours: Course) -> None:
    stock, original = gradebook_rows(graded.root), gradebook_rows(ours.root)
    assert original == stock
    assert len(stock["grade"]) == 9 * 3 + 6 and len(stock["comment"]) == 9 * 2 + 2


def test_our_own_command_gives_the_same_outputs(graded: Course, ours: Course) -> None:
    paths = [path.relative_to(graded.root) for path in graded.root.glob("autograded/*/words/*.ipynb")]
    assert len(paths) == 9
    for path in paths:
        stock, original = (nbformat.read(root / path, as_version=4) for root in (graded.root, ours.root))
        assert message(original) == message(stock), path
    date = "autograded/half/words/timestamp.txt"
    assert (ours.root / date).read_bytes() == (graded.root / date).read_bytes()


def test_our_own_command_says_what_the_grader_failed_in(ours: Course) -> None:
    (row,) = class_results.read_class(open_classroom(ours.root), "faults")
    assert (row.score, row.max_score, row.by_hand) == (4, 8, 4)
    reasons = ("ZeroDivisionError", "CellTimeoutError", "its process ended")
    assert [reason in note.reason for reason, note in zip(reasons, row.notes, strict=True)] == [True] * 3


def test_the_reason_of_a_fault_is_not_the_students(graded: Course, ours: Course) -> None:
    """It may reveal a hidden test."""
    room = open_classroom(ours.root)
    (page,) = write_feedback(room, "faults")
    for path in (page, graded.root / "feedback" / "right" / "faults" / "faulty.html"):
        text = path.read_text()
        assert "The grader failed in test" in text and "ZeroDivisionError" not in text and "by zero" not in text
    lines = class_terminal.report_lines(class_report.read_report(room, "faults"))
    assert any("ZeroDivisionError" in line for line in lines)


def test_the_stock_commands_go_on_where_ours_left_off(ours: Course) -> None:
    before = gradebook_rows(ours.root)
    ours.nbgrader(("autograde", "words"), ("generate_feedback", "words", "--student=half"))
    assert gradebook_rows(ours.root) == before
    assert (ours.root / "feedback" / "half" / "words" / "one.html").exists()


@pytest.fixture(scope="module")
def rows(graded: Course) -> dict[str, GradedExercise]:
    return {row.student: row for row in class_results.read_class(open_classroom(graded.root), "words")}


@pytest.mark.parametrize(
    ("student", "score", "kinds"),
    [
        ("right", 5, []),
        ("half", 3, []),  # the hidden test of the second answer fails
        ("untouched", 1, []),  # one point comes from the test that only writes to stderr
        ("markers", 3, []),
        ("notjson", 1, [NoteKind.UNREADABLE]),
        ("misnamed", 5, [NoteKind.RENAMED]),
        ("schema", 3, []),
        ("twice", 5, [NoteKind.ADDED_CELLS]),
        ("cheat", 1, [NoteKind.ADDED_CELLS]),
        ("nothing", 0, [NoteKind.NOT_GRADED]),
    ],
)
def test_each_gets_the_score_it_deserves(
    rows: dict[str, GradedExercise], student: str, score: float, kinds: list[NoteKind]
) -> None:
    row = rows[student]
    assert (row.score, row.max_score, [note.kind for note in row.notes]) == (score, 5, kinds)
    assert row.by_hand == 0


def test_everyone_who_was_graded_gets_feedback(rows: dict[str, GradedExercise]) -> None:
    for row in rows.values():
        if row.student != "nothing":
            assert row.feedback is not None
            page = row.feedback.read_text()
            assert all(note.text.split(":")[0] in page for note in row.notes)


def test_feedback_shows_no_hidden_test(graded: Course, rows: dict[str, GradedExercise]) -> None:
    hidden = "check(&#39;second&#39;, &#39;right&#39;)"
    cell = next(c for c in graded.graded("half", "words", "one").cells if c.get("id") == "test-second")
    assert "check('second', 'right')" in cell.source  # it was there when the grades were made
    assert rows["half"].feedback is not None
    page = rows["half"].feedback.read_text()
    assert "second holds no right: FAILED" in page
    assert hidden not in page and "BEGIN HIDDEN" not in page
    assert "BEGIN HIDDEN" in (rows["markers"].feedback or Path()).read_text()  # a student's own text stays


def test_a_fault_of_the_grader_costs_nobody_a_point(graded: Course) -> None:
    (row,) = class_results.read_class(open_classroom(graded.root), "faults")
    assert (row.score, row.max_score, row.by_hand) == (4, 8, 4)
    assert {note.kind for note in row.notes} == {NoteKind.GRADER_FAULT}
    reasons = ("ZeroDivisionError", "CellTimeoutError", "its process ended")
    assert [reason in note.reason for reason, note in zip(reasons, row.notes, strict=True)] == [True] * 3
    faults = graded.graded("right", "faults", "faulty").metadata.autograder.faults
    assert "1/0" in faults["test-more-0"]  # the whole traceback is kept for the instructor
    with sqlite3.connect(graded.root / "gradebook.db") as gradebook:
        waiting = gradebook.execute("SELECT auto_score, needs_manual_grade FROM grade WHERE needs_manual_grade")
        assert waiting.fetchall() == [(None, 1)] * 4


def test_no_link_of_a_student_is_followed(graded: Course) -> None:
    """And nothing else that lay beside a notebook is kept."""
    stored = {str(path.relative_to(graded.root)) for path in graded.root.glob("*/cheat/words/**/*") if path.is_file()}
    assert {path for path in stored if not path.startswith("submitted")} == {
        "autograded/cheat/words/one.ipynb",
        "feedback/cheat/words/one.html",
    }


def test_tests_that_never_ran_are_not_full_marks(graded: Course) -> None:
    graded.nbgrader(("autograde", "faults", "--force", "--no-execute"))
    (row,) = class_results.read_class(open_classroom(graded.root), "faults")
    assert (row.score, row.by_hand) == (0, 6)


def test_export(graded: Course) -> None:
    lines = (graded.root / "grades.csv").read_text().splitlines()
    assert any(line.startswith("words,,,right,") and line.endswith(",5.0,0.0,5.0,5.0") for line in lines)


def test_a_class_report_in_each_form(rows: dict[str, GradedExercise]) -> None:
    several = tuple(rows.values())
    cells = {(row.student, row.name): class_report.cell_of(row) for row in several}
    table = class_terminal.score_table({"one": 5}, make_lines(cells, ["one"], {}, {}), 100)
    assert table.row_count == len(several) and len(table.columns) == 3
    lines = list(csv.DictReader(io.StringIO(class_report.to_csv(several))))
    notjson = next(line for line in lines if line["student"] == "notjson")
    assert len(lines) == len(several) and (notjson["score"], notjson["max_score"]) == ("1", "5")
    assert notjson["notes"].startswith("one.ipynb could not be read")
    assert "notjson, one: one.ipynb could not be read" in " ".join(class_terminal.note_lines(several))


def test_a_report_needs_grades(graded: Course, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no gradebook"):
        class_results.read_class(open_classroom(Course(tmp_path).root), "words")
    with pytest.raises(UsageError, match=r"no chapter 'sentences'.*faults, words"):
        class_results.read_class(open_classroom(graded.root), "sentences")


@pytest.mark.smoke
def test_generation_repeats_itself(course: Course) -> None:
    course.add("words", "one", source_notebook())
    mutants = course.root / "solutions" / "words" / "mutants" / "one"
    mutants.mkdir(parents=True)
    (mutants / "wrong.cu").write_text("wrong")
    into = ["first", "second"]
    course.nbgrader(*(("generate_assignment", "words", f"--CourseDirectory.release_directory={name}") for name in into))
    first, second = ({p.name: p.read_bytes() for p in (course.root / name / "words").iterdir()} for name in into)
    assert first == second and list(first) == ["one.ipynb"]
    assert b"right first" not in first["one.ipynb"] and b"HIDDEN" not in first["one.ipynb"]
