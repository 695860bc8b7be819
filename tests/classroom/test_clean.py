"""Does `make clean` remove what can be made again, and nothing else?"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import inputs
import pytest
from small_course import ROOT

from autograder.classroom.commands import course, sample_class
from autograder.classroom.commands.clean import main, work_to_preserve
from autograder.classroom.commands.sample_class import GRADEBOOK

pytestmark = inputs.grading

MADE = ("submitted", "autograded", "feedback", "_build")
TABLES = """\
CREATE TABLE student (id TEXT);
CREATE TABLE grade (auto_score REAL, manual_score REAL, extra_credit REAL);
CREATE TABLE comment (auto_comment TEXT, manual_comment TEXT);
INSERT INTO student VALUES ('ada');
INSERT INTO grade VALUES (3, NULL, NULL);
INSERT INTO comment VALUES ('well done', NULL);
"""


def gradebook(root: Path, command: str) -> None:
    with sqlite3.connect(root / GRADEBOOK) as connection:
        connection.executescript(command)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder as `make course` leaves it: the sample class has handed in and was graded."""
    for folder in ("solutions", "exercises"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    sample_class.make_sample_class(tmp_path)
    for folder in ("autograded/ada", "feedback/ada", "_build/html", ".venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    python = tmp_path / ".venv/bin/python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    (tmp_path / ".venv/ready").touch()
    gradebook(tmp_path, TABLES)
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def clean(root: Path) -> tuple[int, str]:
    done = subprocess.run(["make", "clean"], cwd=root, capture_output=True, text=True)
    return done.returncode, done.stderr


def test_a_sample_class_is_made_again(root: Path) -> None:
    (root / "gradebook.db.2026-11-22").touch()  # nbgrader's copy, before it upgraded a gradebook
    assert clean(root) == (0, "")
    left = {path.name for path in root.iterdir()}
    assert left == {"Makefile", "pyproject.toml", "solutions", "exercises", "gradebook.db.2026-11-22"}
    assert clean(root) == (0, "")


def private_student(root: Path) -> str:
    (root / "submitted" / "zoe" / "barriers").mkdir(parents=True)
    return "zoe's work"


def student_in_the_gradebook(root: Path) -> str:
    gradebook(root, "INSERT INTO student VALUES ('zoe')")
    return "zoe's work"


def another_ada(root: Path) -> str:
    path = root / "submitted" / "ada" / "barriers" / "missing_barrier.ipynb"
    path.write_text(path.read_text() + "\n")
    return "submitted/ada/barriers/missing_barrier.ipynb"


def another_exercise_of_ada(root: Path) -> str:
    path = root / "submitted" / "ada" / "banks" / "transpose_padded.ipynb"
    path.parent.mkdir()
    path.touch()
    return "submitted/ada/banks/transpose_padded.ipynb"


def score(root: Path) -> str:
    gradebook(root, "UPDATE grade SET manual_score = 1")
    return "scores or comments by hand in gradebook.db"


def extra_credit(root: Path) -> str:
    gradebook(root, "UPDATE grade SET extra_credit = 1")
    return "scores or comments by hand in gradebook.db"


def comment(root: Path) -> str:
    gradebook(root, "UPDATE comment SET manual_comment = 'see me'")
    return "scores or comments by hand in gradebook.db"


def uncollected(root: Path) -> str:
    folder = root / "_build" / "grading" / "uncollected"
    folder.mkdir(parents=True)
    (folder / "words.json").write_text("[]")
    assert work_to_preserve(root) == ()
    (folder / "banks.json").write_text('[{"name": "essay.pdf"}]')
    return "the list of what could not be collected in _build/grading/uncollected"


STORED = (
    private_student,
    student_in_the_gradebook,
    another_ada,
    another_exercise_of_ada,
    score,
    extra_credit,
    comment,
    uncollected,
)


@pytest.mark.parametrize("change", STORED, ids=lambda change: change.__name__)
def test_what_cannot_be_made_again_is_named(
    root: Path, change: Callable[[Path], str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = change(root)
    assert main(root) == 1
    assert capsys.readouterr().err == (
        f"Nothing was removed, since this folder holds files that cannot be made again ({found}): move gradebook.db "
        "and submitted/ to a safe place, or remove them yourself, and run `make clean` again.\n"
    )


@pytest.mark.rare
def test_a_whole_class_is_counted_and_nothing_of_it_removed(root: Path) -> None:
    for number in range(30):
        (root / "submitted" / f"student{number:02}").mkdir()
    before = sorted(root.rglob("*"))
    code, message = clean(root)
    assert code == 2 and "(student00's work, student01's work, student02's work, 27 more)" in message
    assert sorted(root.rglob("*")) == before


def test_without_what_could_tell_nothing_is_removed(root: Path) -> None:
    (root / ".venv/ready").unlink()
    code, _ = clean(root)
    assert code == 2 and all((root / name).exists() for name in MADE)
    for name in (*MADE, GRADEBOOK):
        shutil.rmtree(root / name, ignore_errors=True)
    (root / GRADEBOOK).unlink()
    (root / "_build").mkdir()
    assert clean(root) == (0, "") and not (root / "_build").exists()


def test_make_course_keeps_grades_by_hand(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(ROOT / "nbgrader_config.py", root)
    titles: list[str] = []
    monkeypatch.setattr(course, "_run_step", lambda console, show, folder, step, backend: titles.append(step.title))
    for name in ("_check_prerequisites", "write_chapters", "build_parts", "_summarize"):
        monkeypatch.setattr(course, name, lambda *_: None)
    course.make_course(root)
    gradebook(root, "UPDATE grade SET manual_score = 4")
    course.make_course(root)
    assert titles == ["Exercises and sample class", "Book", "Exercises", "Book"]
    message = " ".join(capsys.readouterr().out.split())
    assert message.endswith("left as it is: this folder holds scores or comments by hand in gradebook.db.")
