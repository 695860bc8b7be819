"""A folder that is renamed as the report advises: nothing is left under its former name, and nothing comes back."""

from __future__ import annotations

import shutil
from pathlib import Path

import inputs
import pytest
from lms_files import DAY, NOON, notebook, put, submitted
from nbgrader.api import Student
from small_course import Course

from autograder import cli
from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.collecting.collect import collect, lines_of
from autograder.classroom.commands.progress import summary_lines
from autograder.classroom.grade import grade
from autograder.classroom.results.class_report import read_report
from autograder.classroom.results.class_terminal import report_lines
from autograder.classroom.results.feedback import write_feedback

pytestmark = inputs.grading


@pytest.fixture
def room(fresh: Course, tmp_path: Path) -> Classroom:
    """Alice and Bob are on the list. Bob has handed in, and so has somebody called `me`; both were graded."""
    room = open_classroom(shutil.copytree(fresh.root, tmp_path / "course"))
    with room.gradebook() as gradebook:
        gradebook.db.add(Student(id="alice", first_name="Alice", last_name="Hub", email="a@x.org"))
        gradebook.db.add(Student(id="bob", first_name="Bob", last_name="Müller", email="b@x.org"))
        gradebook.db.commit()
    put(tmp_path / "down", "me/one.ipynb", notebook(room))
    put(tmp_path / "down", "bob/one.ipynb", notebook(room, text="wrong"))
    collect(room, "words", [tmp_path / "down"])
    grade(room, "words")
    write_feedback(room, "words")
    assert not any((room.root / "submitted").glob("alice"))
    return room


def rename(room: Classroom, old: str = "me", new: str = "alice") -> None:
    (room.root / "submitted" / old).rename(room.root / "submitted" / new)


def test_no_ghost_is_left_in_report_and_export(
    room: Classroom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(room.root)
    assert any(line.startswith("not in the gradebook: me: ") for line in report_lines(read_report(room, "words")))
    rename(room)
    message = list(summary_lines(grade(room, "words")))
    assert message[1] == "removed, on no list of students and without a folder by now: me."
    report = read_report(room, "words")
    assert [line.student for line in report.lines] == ["alice", "bob"]
    assert not any(": me" in line for line in report_lines(report))
    assert cli.main(["export", "--to", "moodle", "grades.csv"]) == 0
    assert "me" not in capsys.readouterr().out.replace("Moodle", "").split(": ")
    assert (room.root / "grades.csv").read_text().splitlines()[1:] == [
        "Alice,Hub,alice,a@x.org,3",
        "Bob,Müller,bob,b@x.org,1",
    ]
    assert not list(room.root.glob("autograded/me/*")) and not list(room.root.glob("feedback/me/*"))
    assert len(list(summary_lines(grade(room, "words")))) == len(message) - 1


def test_one_student_alone_removes_nobody(room: Classroom) -> None:
    rename(room)
    assert grade(room, "words", ["bob"]).former == ()


def test_points_by_hand_are_nobodys_to_remove(room: Classroom) -> None:
    with room.gradebook() as gradebook:
        gradebook.find_grade("test-first", "one", "words", "me").manual_score = 2
        gradebook.db.commit()
    rename(room)
    assert grade(room, "words").former == ()
    (why,) = [
        item.why for item in read_report(room, "words").attention if item.student == "me" and "folder" in item.why
    ]
    assert why.startswith("The folder is gone, but a person gave points") and "remove me --force`" in why


def test_without_a_list_nobody_is_removed(fresh: Course, tmp_path: Path) -> None:
    room = open_classroom(shutil.copytree(fresh.root, tmp_path / "course"))
    Course(room.root).submit("me", "words", "one", notebook(room))
    Course(room.root).submit("bob", "words", "one", notebook(room))
    grade(room, "words")
    rename(room)
    assert grade(room, "words").former == ()


@pytest.mark.parametrize("graded", [True, False])
def test_the_same_download_brings_no_folder_back(room: Classroom, tmp_path: Path, graded: bool) -> None:
    rename(room)
    if graded:
        grade(room, "words")
    done = collect(room, "words", [tmp_path / "down"])
    assert done.unchanged == [("alice", "one"), ("bob", "one")] and not done.unknown and not done.left
    assert set(submitted(room)) == {"alice/words/one.ipynb", "bob/words/one.ipynb"}
    assert "note: me is collected as Alice Hub (alice), because that folder was renamed." in lines_of(done)
    put(tmp_path / "down", "me/one.ipynb", notebook(room, text="later"), NOON + DAY)
    assert collect(room, "words", [tmp_path / "down"]).replaced == [("alice", "one")]
    put(tmp_path / "down", "me/two.ipynb", notebook(room, "two"), NOON + DAY)
    assert ("alice", "two") in collect(room, "words", [tmp_path / "down"]).new


def test_a_folder_that_was_deleted_is_not_whoever_has_the_same(room: Classroom, tmp_path: Path) -> None:
    """Alice hands in what `me` handed in, and `me` turns out to be nobody of this class."""
    put(tmp_path / "down", "alice/one.ipynb", notebook(room))
    collect(room, "words", [tmp_path / "down"])
    shutil.rmtree(room.root / "submitted" / "me")
    put(tmp_path / "down", "me/one.ipynb", notebook(room, text="of somebody else"), NOON + DAY)
    collect(room, "words", [tmp_path / "down"])
    assert submitted(room)["alice/words/one.ipynb"] == notebook(room)
    assert "me/words/one.ipynb" in submitted(room)
