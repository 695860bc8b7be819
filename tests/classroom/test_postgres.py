"""A gradebook on a real PostgreSQL server: by `--db`, by nbgrader's configuration, and by its own commands."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import inputs
import postgres_server
import pytest
from small_course import Course, gradebook_rows, submit

from autograder.classroom.classroom import open_classroom
from autograder.classroom.commands import course as whole_course
from autograder.classroom.grade import grade
from autograder.classroom.results.class_results import read_class
from autograder.classroom.results.feedback import write_feedback
from autograder.cuda.errors import UsageError
from autograder.exercises.authoring import nbgrader_app as stock

pytestmark = inputs.grading


@pytest.fixture
def root(fresh: Course, tmp_path: Path) -> Path:
    shutil.copytree(fresh.root, tmp_path / "course")
    for student, word in (("ada", "right"), ("carl", "wrong")):
        submit(tmp_path / "course", student, word)
    return tmp_path / "course"


@pytest.fixture
def server() -> Iterator[postgres_server.Postgres]:
    with postgres_server.Postgres() as server:
        yield server


def autograder(root: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "autograder", *arguments]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=200)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.rare
@pytest.mark.skipif(bool(postgres_server.missing()), reason=postgres_server.missing())
def test_a_gradebook_on_a_server_is_that_of_a_file(
    root: Path, server: postgres_server.Postgres, tmp_path: Path
) -> None:
    shutil.copytree(root, tmp_path / "file")
    grade(open_classroom(tmp_path / "file"), "words")
    expected = gradebook_rows(tmp_path / "file")
    (root / "gradebook.db").unlink()

    stock.nbgrader(root, [("generate_assignment", "words", "--force", f"--db={server.url}")])
    autograder(root, "grade", "words", "--db", server.url)
    assert gradebook_rows(root, server.connect) == expected
    assert len(write_feedback(open_classroom(root, server.url), "words")) == 2
    with (root / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.CourseDirectory.db_url = '{server.url}'\n")
    table = autograder(root, "report", "words")
    assert "ada" in table and "carl" in table
    assert grade(open_classroom(root), "words").unchanged == ("ada", "carl")

    with closing(server.connect()) as gradebook, gradebook, gradebook.cursor() as cursor:
        cursor.execute("UPDATE grade SET auto_score = 0.25")
    stock.nbgrader(root, [("autograde", "words", "--student=ada", "--force")])
    of_ada = {row for row in expected["grade"] if row[0] == "ada"}
    assert {row for row in gradebook_rows(root, server.connect)["grade"] if row[0] == "ada"} == of_ada
    assert not (root / "gradebook.db").exists()


def test_a_server_that_is_not_there_is_told_in_a_sentence(root: Path, tmp_path: Path) -> None:
    url = f"postgresql+psycopg2://me:secret@/gradebook?host={tmp_path}"
    for run in (lambda room: grade(room, "words"), lambda room: read_class(room, "words")):
        with pytest.raises(
            UsageError, match=r"The gradebook .*me:\*\*\*@.*cannot be opened \(.*No such file"
        ) as reported:
            run(open_classroom(root, url))
        assert "secret" not in str(reported.value) and "\n" not in str(reported.value)
    with pytest.raises(UsageError, match=r"--db is not the address of a gradebook, such as sqlite:"):
        open_classroom(root, "the gradebook")


def test_a_course_with_a_gradebook_elsewhere_gets_no_sample_class(fresh: Course, tmp_path: Path) -> None:
    """The sample class must never be written among real students."""
    assert [step.title for step in whole_course._steps(False, print)] == ["Exercises and sample class", "Book"]
    root = Course(tmp_path).root
    assert not whole_course.has_external_gradebook(open_classroom(root))
    assert whole_course.has_external_gradebook(open_classroom(root, "postgresql+psycopg2://host/gradebook"))
