"""The sample class, graded: each submission gets what it deserves, and none stops the others.

Rare: each push grades this class in `make course`, and `test_nbgrader.py` compares the results of a smaller one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import inputs
import nbformat
import pytest
from small_course import ROOT, Course, gradebook_rows, hidden_gpu, message

from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.commands import course, sample_class
from autograder.classroom.execution.replay import hidden_report
from autograder.classroom.results import class_report, class_results
from autograder.classroom.results.feedback import shown_report, write_feedback
from autograder.classroom.results.outcomes import GradedExercise, read_exercise
from autograder.classroom.submission.notes import NoteKind
from autograder.cuda.errors import UsageError
from autograder.exercises.authoring import nbgrader_app as stock
from autograder.exercises.result import MIME, Outcome

pytestmark = [inputs.grading, pytest.mark.starts_early]

ALL = frozenset({"every check"})

#: (student, exercise): the checks whose points are lost (on the emulator), what is noted, and why.
EXPECTED: dict[tuple[str, str], tuple[frozenset[str], list[NoteKind], str]] = {
    ("ada", "missing_barrier"): (frozenset(), [], "right"),
    ("ada", "gemm_tiled_any_size"): (frozenset(), [], "right"),
    ("ada", "histogram_shared"): (frozenset(), [], "right"),
    ("blaise", "missing_barrier"): (ALL, [], "not written yet"),
    ("carl", "missing_barrier"): (ALL, [], "races, and not one number is right"),
    ("dorothy", "missing_barrier"): (
        frozenset({"reaches-every-barrier", "has-no-races", "matches-numpy", "shares-the-work", "uses-handed-over"}),
        [],
        "a barrier in a branch, where most launches stop, and races in the one that does not",
    ),
    ("emmy", "gemm_tiled_any_size"): (
        frozenset({"matches-numpy", "reads-only-what-was-written", "shares-the-work"}),
        [],
        "adds up what nobody wrote",
    ),
    ("felix", "histogram_shared"): (frozenset({"has-no-races"}), [], "a plain ++"),
    ("grace", "histogram_shared"): (ALL, [], "does not compile"),
    ("henri", "missing_barrier"): (ALL, [NoteKind.UNREADABLE], "half a file"),
    ("ida", "gemm_tiled_any_size"): (
        frozenset(),
        [NoteKind.ADDED_CELLS],
        "right, though only the text of the cells is left",
    ),
    ("john", "missing_barrier"): (
        ALL,
        [NoteKind.CHANGED, NoteKind.ADDED_CELLS],
        "a stub, and Python that does not count",
    ),
    ("karen", "histogram_shared"): (frozenset(), [NoteKind.SEVERAL], "the last of two answers is right"),
    ("leonhard", "gemm_tiled_any_size"): (ALL, [], "out of bounds, the rest cannot be judged"),
}


def points_of(root: Path, exercise: str) -> dict[str, float]:
    """The points of each check of an exercise."""
    (path,) = root.glob(f"solutions/*/{exercise}.ipynb")
    tests = [cell["metadata"]["nbgrader"] for cell in json.loads(path.read_text())["cells"]]
    return {t["grade_id"].removeprefix(f"{exercise}-"): t["points"] for t in tests if t["grade"]}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = Course(tmp_path_factory.mktemp("course")).root
    shutil.copytree(ROOT / "solutions", root / "solutions")
    with hidden_gpu():  # a GPU can give other wrong numbers than the emulator
        course.grade_sample_class(root, lambda done, total: None)
        yield root


@pytest.fixture(scope="module")
def rows(graded: Path) -> dict[tuple[str, str], GradedExercise]:
    room = open_classroom(graded)
    rows = [row for chapter in stock.chapters(graded) for row in class_results.read_class(room, chapter)]
    return {(row.student, row.name): row for row in rows}


@pytest.mark.rare
@pytest.mark.parametrize(("student", "exercise"), EXPECTED)
def test_each_gets_what_it_deserves(
    graded: Path, rows: dict[tuple[str, str], GradedExercise], student: str, exercise: str
) -> None:
    row, points = rows[student, exercise], points_of(graded, exercise)
    lost, kinds, why = EXPECTED[student, exercise]
    assert lost == ALL or lost <= set(points), "no such check"
    score = 0 if lost == ALL else sum(points.values()) - sum(points[check] for check in lost)
    assert (row.score, row.max_score) == (score, sum(points.values())), why
    assert [note.kind for note in row.notes] == kinds
    assert row.by_hand == 0


@pytest.mark.rare
def test_nobody_is_left_out(rows: dict[tuple[str, str], GradedExercise]) -> None:
    assert set(EXPECTED) <= set(rows)
    assert all(row.feedback and row.feedback.exists() for key, row in rows.items() if key in EXPECTED)
    # An exercise that a student did not hand in earns nothing, and is listed anyway.
    assert all(row.score == 0 for key, row in rows.items() if key not in EXPECTED)


@pytest.mark.rare
def test_feedback_says_what_the_student_must_know(rows: dict[tuple[str, str], GradedExercise]) -> None:
    def page(student: str, exercise: str) -> str:
        feedback = rows[student, exercise].feedback
        assert feedback is not None
        return feedback.read_text()

    assert "histogram_shared has no races: failed" in page("felix", "histogram_shared")
    assert "does not compile" in page("grace", "histogram_shared")
    assert "could not be read: it is not JSON" in page("henri", "missing_barrier")
    assert "the last one in the notebook was graded" in page("karen", "histogram_shared")
    assert all("HIDDEN TESTS" not in page(*key) for key in rows)


@pytest.fixture(scope="module")
def ours(graded: Path) -> Classroom:
    return open_classroom(graded)


@pytest.mark.rare
def test_the_stock_command_gives_the_same_gradebook_and_outputs(graded: Path, tmp_path: Path) -> None:
    """For one chapter, which has most of what goes wrong, since notebooks that run one after the other are slow."""
    for name in ("solutions", "exercises", "submitted", "autograded"):
        shutil.copytree(graded / name, tmp_path / name)
    for name in ("gradebook.db", "nbgrader_config.py"):
        shutil.copy(graded / name, tmp_path)
    stock.nbgrader(tmp_path, [("autograde", "barriers", "--force")])
    assert gradebook_rows(tmp_path) == gradebook_rows(graded)
    paths = [path.relative_to(graded) for path in graded.glob("autograded/*/barriers/*.ipynb")]
    assert len(paths) > 20
    for path in paths:
        mine, theirs = (nbformat.read(root / path, as_version=4) for root in (graded, tmp_path))
        assert message(mine) == message(theirs), path


@pytest.mark.rare
def test_a_feedback_page_shows_findings_beside_the_lines(ours: Classroom) -> None:
    (path,) = write_feedback(ours, "atomics", ["felix"], book="https://example.org/course/")
    page = " ".join(path.read_text().split())
    assert "<strong>8 of 52 points.</strong>" in page and "count_zeros.ipynb was not handed in" in page
    assert "<h3>histogram_shared has no races: failed</h3>" in page
    line = r'block_bins\[values\[i\]\]\+\+;</td> <td class="annotation">&larr; histogram_shared has no races: thread '
    assert re.search(line, page) and "an atomic operation." in page
    assert '<a href="https://example.org/course/book/atomics.html">Chapter 12' in page
    # The picture came along with the result, as data.
    assert page.count('<figure class="autograder-picture"') == 1 and page.count('<circle class="tl-race"') == 2
    assert re.search(r"thread \d+ reads block_bins\[\d+\]</text>", page)
    with pytest.raises(UsageError, match="emmy has no graded atomics"):
        write_feedback(ours, "atomics", ["emmy"])


@pytest.mark.rare
def test_a_hidden_case_is_named_by_its_check_only(ours: Classroom) -> None:
    (path,) = ours.root.glob("autograded/emmy/*/gemm_tiled_any_size.ipynb")
    exercise = read_exercise(path, "emmy")
    failed = [check for check in exercise.checks if check.outcome is Outcome.FAILED]
    assert [(s.title, s.hidden) for s in failed] == [
        ("gemm_tiled_any_size matches numpy", False),
        ("gemm_tiled_any_size reads only what was written", False),
    ]
    notebook = nbformat.read(path, as_version=4)
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        if MIME in output.get("data", {}):  # as if the visible cases had passed
            output.data[MIME]["hidden"] = True
    moved = ours.root / "moved.ipynb"
    nbformat.write(notebook, moved)
    for check in read_exercise(moved, "emmy").checks:
        if check.outcome is Outcome.FAILED:
            assert check.hidden and shown_report(check) == hidden_report(check.title)  # and so no picture of it, either


@pytest.mark.rare
def test_the_class_report_ranks_what_went_wrong(ours: Classroom) -> None:
    report = class_report.read_report(ours, "barriers")
    (scores,) = [scores for scores in report.scores if scores.name == "missing_barrier"]
    assert (scores.written, scores.of, scores.full) == (3, 6, 1)
    counts = [found.count for found in report.findings]
    assert counts == sorted(counts, reverse=True) and counts[0] == 2
    races = next(found for found in report.findings if found.check == "missing_barrier has no races")
    assert (races.finding, races.count, races.of, races.students) == ("a data race", 2, 3, ("carl", "dorothy"))
    # None of them hands in every exercise.
    assert [(item.student, item.what) for item in report.attention if item.what != "missing"] == [
        ("henri", "not readable"),
        ("john", "read-only cells changed"),
    ]
    assert report.slowest and report.slowest[0].seconds > 0


@pytest.mark.rare
def test_the_command_as_an_instructor_types_it(graded: Path) -> None:
    """With a PATH that does not contain the virtual environment."""
    program = Path(sys.executable).parent / "nbgrader"
    done = subprocess.run(
        [program, "autograde", "barriers", "--student=ada", "--force"],
        cwd=graded,
        env={**os.environ, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    (row,) = [
        r
        for r in class_results.read_class(open_classroom(graded), "barriers")
        if (r.student, r.name) == ("ada", "missing_barrier")
    ]
    assert row.score == row.max_score == 10


@pytest.mark.rare
def test_the_class_is_the_same_each_time(graded: Path, tmp_path: Path) -> None:
    copies = []
    for name in ("first", "second"):
        root = tmp_path / name
        for folder in ("solutions", "exercises"):
            shutil.copytree(graded / folder, root / folder)
        sample_class.make_sample_class(root)
        files = [path for path in (root / "submitted").rglob("*") if path.is_file()]
        copies.append({path.relative_to(root): path.read_bytes() for path in files})
    assert copies[0] == copies[1] and len(copies[0]) == len(EXPECTED) + 1


def test_other_peoples_work_is_never_removed(tmp_path: Path) -> None:
    (tmp_path / "submitted" / "zoe" / "barriers").mkdir(parents=True)
    for do in (sample_class.remove_sample_class, sample_class.make_sample_class):
        with pytest.raises(UsageError, match="zoe"):
            do(tmp_path)
    assert (tmp_path / "submitted" / "zoe" / "barriers").exists()


def test_an_interrupted_gradebook_is_no_class(tmp_path: Path) -> None:
    (tmp_path / "gradebook.db").touch()
    assert sample_class.unknown_students(tmp_path) == ()


def test_a_real_student_with_a_sample_name_is_not_the_sample(tmp_path: Path) -> None:
    (tmp_path / "submitted" / "ada").mkdir(parents=True)
    assert sample_class.unknown_students(tmp_path) == ("ada",)


@pytest.mark.rare
def test_a_gradebook_with_other_students_stays(graded: Path, tmp_path: Path) -> None:
    shutil.copytree(graded / "submitted", tmp_path / "submitted")
    shutil.copy(graded / "gradebook.db", tmp_path)
    assert sample_class.unknown_students(tmp_path) == ()
    with sqlite3.connect(tmp_path / "gradebook.db") as gradebook:
        gradebook.execute("INSERT INTO student (id, lms_user_id) VALUES ('zoe', '')")
    with pytest.raises(UsageError, match="zoe"):
        sample_class.remove_sample_class(tmp_path)
    assert (tmp_path / "gradebook.db").exists() and (tmp_path / "submitted" / "ada").exists()


@pytest.mark.rare
def test_a_missing_mutant_is_named(graded: Path) -> None:
    exercise = sample_class.SampleExercise(graded, "barriers", "missing_barrier")
    with pytest.raises(UsageError, match=r"barriers/mutants/missing_barrier/nothing\.cu"):
        exercise.mutated("nothing.cu")
