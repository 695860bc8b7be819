"""Scores and feedback for the LMS, in the forms that each documents."""

from __future__ import annotations

import csv
import re
import shutil
import zipfile
from pathlib import Path

import inputs
import pytest
from lms_files import notebook, put
from nbgrader.api import Student
from small_course import Course, submit

from autograder import cli
from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.collecting.collect import collect
from autograder.classroom.grade import grade
from autograder.classroom.lms import tables
from autograder.classroom.results.export import grades_table, pack_feedback, read_scores
from autograder.cuda.errors import UsageError

pytestmark = inputs.grading

PEOPLE = [
    ("ada", "Ada", "Lovelace, Countess", "ada@x.org", "101"),
    ("bob", "=Bob", "Müller", "", "102"),
    ("eve", "", "", "", ""),
]
MOST = "Set each column's maximum in {} to its points before you import. Who handed in nothing gets no score, not 0."


@pytest.fixture(scope="module")
def room(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    """Ada and Bob have handed in, by Moodle and by Canvas; Eve has not."""
    home = tmp_path_factory.mktemp("lms")
    room = open_classroom(shutil.copytree(fresh.root, home / "course"))
    with room.gradebook() as gradebook:
        for name, first, last, mail, number in PEOPLE:
            gradebook.db.add(Student(id=name, first_name=first, last_name=last, email=mail, lms_user_id=number))
        gradebook.db.commit()
    put(home / "down", "Ada Lovelace, Countess_2201_assignsubmission_file/one.ipynb", notebook(room))
    put(home / "down", "mullerbob_LATE_102_88101_one-1.ipynb", notebook(room, text="wrong"))
    put(home / "down", "eve2/one.ipynb", notebook(room))
    collect(room, "words", [home / "down"])
    grade(room, "words")
    return room


def table(room: Classroom, system: str, exported: Path | None = None) -> list[list[str]]:
    return list(
        csv.reader(grades_table(room, tables()[system], read_scores(room, ["words"], exported)).text.splitlines())
    )


def test_moodle(room: Classroom) -> None:
    assert table(room, "moodle")[:3] == [
        ["First name", "Last name", "ID number", "Email address", "words"],
        ["Ada", "Lovelace, Countess", "ada", "", "3"],  # an e-mail address that only she has helps nobody
        ["'=Bob", "Müller", "bob", "", "1"],
    ]


def test_canvas(room: Classroom) -> None:
    head, points, *rows = table(room, "canvas")
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "words"]
    assert points == ["    Points Possible", "", "", "", "", "9"]
    assert ["Lovelace, Countess, Ada (ada)", "101", "", "", "", "3"] in rows
    assert ["Müller, '=Bob (bob)", "102", "", "", "", "1"] in rows  # no formula for a spreadsheet


@pytest.mark.parametrize("system", ["moodle", "canvas", "blackboard"])
def test_no_id_is_a_formula(room: Classroom, system: str) -> None:
    """Where students may write, a folder's name becomes an id. Some spreadsheets read full-width signs, too."""
    texts = ("=1+cmd|' C'!A0", "\uff1d1+1")
    with room.gradebook() as gradebook:
        for text in texts:
            gradebook.update_or_create_student(text, email=text, lms_user_id=text)
    exported = grades_table(room, tables()[system], read_scores(room, ["words"]))
    with room.gradebook() as gradebook:
        for text in texts:
            gradebook.remove_student(text)
    assert not any(text in exported.text for text in texts)
    assert any({*texts} <= {*students} for students in exported.left_out.values())


def test_blackboard(room: Classroom) -> None:
    text = grades_table(room, tables()["blackboard"], read_scores(room, [])).text
    assert text.splitlines()[0] == '"Last Name","First Name","Username","words [Total Pts: 9 Score]"'
    assert '"Lovelace, Countess","Ada","ada","3"' in text and all(line.startswith('"') for line in text.splitlines())


@pytest.mark.parametrize(
    ("system", "header", "column"),
    [
        ("canvas", "Student,ID,SIS User ID,SIS Login ID,Section,Words (4711),Words 2 (4712)", "Words (4711)"),
        (
            "blackboard",
            '"Last Name"\t"First Name"\t"Username"\t"Words [Total Pts: 9 Score] |77"',
            "Words [Total Pts: 9 Score] |77",
        ),
        ("moodle", "First name,Words,Words", "words"),  # which one?
    ],
)
def test_a_column_of_the_lms_keeps_its_name(
    room: Classroom, tmp_path: Path, system: str, header: str, column: str
) -> None:
    (tmp_path / "theirs.csv").write_text(f"{header}\n", encoding="utf-16" if system == "blackboard" else "utf-8-sig")
    assert table(room, system, tmp_path / "theirs.csv")[0][-1] == column


def test_feedback_goes_back_under_the_names_of_the_lms(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match="No feedback on words can go back by an archive: it takes pages"):
        pack_feedback(room, "words", tmp_path / "x.zip")
    monkeypatch.chdir(room.root)
    assert cli.main(["feedback", "words", "--student=ada"]) == 0
    assert capsys.readouterr().out == "1 page: feedback/<student>/words.html\n"
    assert cli.main(["feedback", "words", "--zip", str(tmp_path / "back.zip")]) == 0
    assert capsys.readouterr().out.endswith("back.zip is for the LMS. Not in it: eve2.\n")
    with zipfile.ZipFile(tmp_path / "back.zip") as archive:
        moodle, canvas = sorted(archive.namelist())
        assert "Ada" not in archive.read(canvas).decode() and archive.read(moodle)
    assert moodle == "Ada Lovelace, Countess_2201_assignsubmission_file_/words-feedback.html"
    assert moodle.split("/")[0].split("_", 4)[1:4] == ["2201", "assignsubmission", "file"]  # as Moodle reads it
    assert canvas == "mullerbob_LATE_102_88101_words-feedback.html"
    assert re.findall(r"(?<=_)\d+(?=_)", canvas) == ["102", "88101"]  # as Canvas reads it


def test_whose_notebook_could_not_be_read_is_named(
    fresh: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = shutil.copytree(fresh.root, tmp_path / "course")
    submit(root, "ada", "right")
    submit(root, "bob", "right")
    Course(root).submit("bob", "words", "two", b"<html>")
    put(tmp_path / "down", "bob/more.rar", b"Rar!")
    put(tmp_path / "down", "eve/one.pdf", b"%PDF")
    with open_classroom(root).gradebook() as gradebook:
        gradebook.add_student("bob")
        gradebook.add_student("eve")
    collect(open_classroom(root), "words", [tmp_path / "down"])
    grade(open_classroom(root), "words")
    monkeypatch.chdir(root)
    assert cli.main(["export", "--to", "moodle", "grades.csv"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "grades.csv is for Moodle: words (2 scores, of 9 points).",
        MOST.format("Moodle"),
        "words: 1 student counted without a notebook that could not be read: bob.",
        "words: 2 students with a file that could not be collected: bob, eve.",
    ]


def test_a_list_of_people_is_no_table_of_grades(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(room.root)
    people = tmp_path / "people.csv"
    people.write_text("First name,Last name,Email address\nAda,Lovelace,ada@x.org\n", encoding="utf-8-sig")
    assert cli.main(["export", "--to", "moodle", "grades.csv", "--like", str(people)]) == 0
    assert capsys.readouterr().out.splitlines()[3] == (
        f"{people} has no column for words (it has: First name, Last name, Email address), so its column is called "
        "words. --like takes the grades as the LMS exports them, once the assignment is there; no list of people."
    )
    people.write_text("First name,words (4711)\n")
    assert cli.main(["export", "--to", "canvas", "grades.csv", "--like", str(people)]) == 0
    assert not any("has no column" in line for line in capsys.readouterr().out.splitlines())


def test_the_command(room: Classroom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(room.root)
    assert cli.main(["export", "--to", "canvas", "grades.csv"]) == 0
    who = "Ada Lovelace, Countess (ada), =Bob Müller (bob)"
    left = (
        "Not in the file, because Canvas could take them for somebody else: eve, eve2: not on your list of students. "
        "Complete your list and export again, or enter their scores by hand.\n"
    )
    missing = f"words: 2 students counted without a notebook that is missing: {who}.\n"
    message = f"grades.csv is for Canvas: words (2 scores, of 9 points).\n{MOST.format('Canvas')}\n{left}{missing}"
    assert capsys.readouterr().out == message
    assert cli.main(["export", "grades.csv", "--to", "canvas", "--chapter", "words"]) == 0
    capsys.readouterr()
    assert cli.main(["export", "--to", "canvas", "grades.csv", "--chapter", "wrods"]) == 2
    assert "No wrods was graded (there is: words): run `autograder grade wrods`." in capsys.readouterr().err
