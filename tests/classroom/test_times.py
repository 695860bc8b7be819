"""When submissions came: by Moodle's grading worksheet; who has no time; and what else `collect` says of a download."""

from __future__ import annotations

import shutil
from pathlib import Path

import inputs
import pytest
from lms_files import notebook, packed, put, submitted
from small_course import Course

from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.collecting.collect import collect, lines_of
from autograder.classroom.collecting.uncollected import read_uncollected
from autograder.classroom.grade import grade
from autograder.classroom.results.class_report import read_report, to_csv
from autograder.classroom.results.class_terminal import report_lines
from autograder.classroom.results.lateness import set_due
from autograder.classroom.results.pages import write_class_page
from autograder.classroom.students import take_students

pytestmark = inputs.grading

#: As Moodle writes it, of submissions that came at 10:00 and 14:05, and of one that did not.
WORKSHEET = (
    '\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",'
    '"Last modified (submission)","Online text","Last modified (grade)","Feedback comments"\n'
    '"Participant 2201","Ada Lovelace",a.byron@example.org,"Submitted for grading - ",,9.00,Yes,'
    '"Friday, 30 January 2026, 10:00 AM",,-,\n'
    '"Participant 2202","Bob Müller",,"Submitted for grading - ",,9.00,Yes,'
    '"Friday, January 30, 2026, 2:05\u202fPM",,-,\n'
    '"Participant 2203","Zed Roe",,"No submission - ",,9.00,Yes,-,,-,\n'
).encode()


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")


@pytest.fixture
def room(lms_room: Classroom) -> Classroom:
    set_due(lms_room, "words", "2026-01-30 12:00 UTC")
    return lms_room


def archive(room: Classroom, folder: Path) -> Path:
    names = ("Ada Lovelace_2201_assignsubmission_file", "Bob Müller_2202_assignsubmission_file")
    return put(folder, "Words-4711.zip", packed(*((f"{name}/one.ipynb", notebook(room)) for name in names)))


def stamps(room: Classroom) -> dict[str, str]:
    top = room.root / "submitted"
    return {path.parts[-3]: path.read_text().strip() for path in top.glob("*/words/timestamp.txt")}


def test_a_due_date_without_times_is_told(room: Classroom, tmp_path: Path) -> None:
    message = list(lines_of(collect(room, "words", [archive(room, tmp_path)])))
    assert message[1] == (
        "no submission time: 2 students, not counted as late. If that matters, collect Moodle's grading "
        "worksheet (`autograder collect words FILE.csv`), and grade again."
    )
    put(tmp_path, "down/carl/one.ipynb", notebook(room))
    message = list(lines_of(collect(room, "words", [tmp_path / "down"])))
    assert "3 students" in message[1] and "or write the time into submitted/<student>/words/timestamp.txt" in message[1]
    grade(room, "words")
    reported = [line for line in report_lines(read_report(room, "words")) if line.startswith("no submission time: ")]
    assert len(reported) == 1 and reported[0].startswith("no submission time: 3 students, not counted as late. ")


def test_without_a_due_date_nobody_asks_for_times(lms_room: Classroom, tmp_path: Path) -> None:
    assert len(list(lines_of(collect(lms_room, "words", [archive(lms_room, tmp_path)])))) == 1


@pytest.mark.parametrize("how", ["together", "in a folder", "later, alone"])
def test_the_worksheet_says_when_each_came(room: Classroom, tmp_path: Path, how: str) -> None:
    packed_files, sheet = archive(room, tmp_path / "down"), put(tmp_path / "down", "Grades-Words-4711.csv", WORKSHEET)
    if how == "later, alone":
        collect(room, "words", [packed_files])
    sources = {"together": [packed_files, sheet], "in a folder": [tmp_path / "down"], "later, alone": [sheet]}
    done = collect(room, "words", sources[how])
    assert stamps(room) == {"ada": "2026-01-30 10:00:00 UTC", "bob": "2026-01-30 14:05:00 UTC"}
    assert list(lines_of(done))[1:] == ["submission times: 2 students, from Grades-Words-4711.csv."]
    grade(room, "words")
    assert {line.student: line.late for line in read_report(room, "words").lines} == {"ada": "", "bob": "2 h 5 min"}


def test_no_student_writes_times(room: Classroom, tmp_path: Path) -> None:
    for name in ("Ada Lovelace_2201_assignsubmission_file_times.csv", "ada/times.csv", "ada_times.csv"):
        put(tmp_path / "down", name, WORKSHEET)
    put(tmp_path / "down", "Ada Lovelace_2201_assignsubmission_file_one.ipynb", notebook(room))
    put(tmp_path / "down", "Bob Müller_2202_assignsubmission_file_one.ipynb", notebook(room))
    collect(room, "words", [tmp_path / "down"])
    assert len(submitted(room)) == 2 and stamps(room) == {}


def test_a_table_that_holds_no_times_is_told(room: Classroom, tmp_path: Path) -> None:
    files = archive(room, tmp_path)
    people = put(tmp_path, "people.csv", b"First name,Last name\nAda,Lovelace\n")
    foreign = put(tmp_path, "foreign.csv", WORKSHEET.replace(b"January", b"Januar"))
    message = list(lines_of(collect(room, "words", [files, people, foreign])))
    assert message[-2:] == [
        "note: people.csv: it is no notebook, and no grading worksheet of Moodle's: that has 'Identifier' and 'Last "
        "modified (submission)'.",
        "note: foreign.csv: 2 times cannot be read, such as 'Friday, 30 Januar 2026, 10:00 AM'. Set Moodle to "
        "English, and download it again.",
    ]


def test_one_student_with_one_notebook_is_no_plural(room: Classroom, tmp_path: Path) -> None:
    path = put(tmp_path, "lovelaceada_LATE_101_7001_one.ipynb", notebook(room))
    message = list(lines_of(collect(room, "words", [path])))
    assert message[:3] == [
        "1 student: 1 notebook new, 0 replaced by later ones, 0 there already.",
        "late by the LMS, which does not say when: 1 notebook. The class report names it.",
        "no submission time: 1 student, not counted as late. If that matters, write the time into "
        "submitted/<student>/words/timestamp.txt, as 2026-03-01 12:00 UTC, and grade again.",
    ]


def test_what_lies_beside_notebooks_is_told(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "ada/one.ipynb", notebook(room))
    put(tmp_path / "down", "ada/notes.pdf", b"%PDF")
    for number in range(4):
        put(tmp_path / "down", f"bob/part{number}.cu", b"")
    put(tmp_path / "down", "bob/one.ipynb", notebook(room))
    message = list(lines_of(collect(room, "words", [tmp_path / "down"])))
    assert "not a notebook, left: notes.pdf (Ada Lovelace), 4 .cu files, such as part0.cu (Bob Müller)." in message
    reported = [(item.kind, item.student, item.name) for item in read_uncollected(room, "words")]
    parts = ", ".join(f"bob/part{number}.cu" for number in range(3))
    assert reported == [
        ("not a notebook", "ada", "ada/notes.pdf"),
        ("not a notebook", "bob", f"{parts} and 1 more"),
    ]
    put(tmp_path / "board", "Words_ada_attempt_2026-01-30-15-00-00_one.ipynb", notebook(room))
    put(tmp_path / "board", "Words_ada_attempt_2026-01-30-15-00-00.txt", b"Name: Ada Lovelace (ada)")
    assert not collect(room, "words", [tmp_path / "board"]).others


def test_what_lies_beside_notebooks_stands_in_each_report(room: Classroom, tmp_path: Path) -> None:
    """Until the download is collected again without it."""
    put(tmp_path / "down", "ada/one.ipynb", notebook(room))
    notes = put(tmp_path / "down", "ada/notes.pdf", b"%PDF")
    collect(room, "words", [tmp_path / "down"])
    grade(room, "words")
    report = read_report(room, "words")
    why = "Only notebooks are graded. If it holds an answer, ask for a notebook that does."
    assert f"not a notebook: Ada Lovelace (ada): ada/notes.pdf: {why}" in report_lines(report)
    write_class_page(tmp_path / "class.html", "words", report)
    assert f"<td>not a notebook</td><td>ada/notes.pdf: {why}</td>" in (tmp_path / "class.html").read_text()
    assert f"ada,words,,0,0,0,ada/notes.pdf: {why},," in to_csv(report.left).replace('"', "")
    notes.unlink()
    collect(room, "words", [tmp_path / "down"])
    assert not any("notes.pdf" in line for line in report_lines(read_report(room, "words")))


def test_names_that_are_missing_are_asked_for(fresh: Course, tmp_path: Path) -> None:
    room = open_classroom(shutil.copytree(fresh.root, tmp_path / "course"))
    files, table = archive(room, tmp_path), put(tmp_path, "t.csv", b"id,first_name,last_name\nada,Ada,Lovelace\n")
    assert list(lines_of(collect(room, "words", [files])))[1] == (
        "not in the gradebook: Ada Lovelace, Bob Müller. There are no students yet: `autograder students FILE` takes "
        "them from a table of the LMS. Then collect again."
    )
    with room.gradebook() as gradebook:
        for student, name in (("ada", "Lovelace"), ("bob", "Müller")):
            gradebook.add_student(student, last_name=name)  # as nbgrader reads a table that begins with a mark
    assert list(lines_of(collect(room, "words", [files])))[1] == (
        "not in the gradebook: Ada Lovelace, Bob Müller. Most students there have no first and last name (2 of 2): "
        "`autograder students FILE` takes them from a table of the LMS. Then collect again."
    )
    item = put(tmp_path / "down", "ada/one.ipynb", notebook(room)).parents[1]
    put(item, "bob/one.ipynb", notebook(room))
    put(item, "carla/one.ipynb", notebook(room))  # where folders are called by ids, one may be wrong
    message = list(lines_of(collect(room, "words", [item])))
    assert any(
        line.startswith("not in the gradebook: carla. If a name is wrong, rename its folder") for line in message
    )
    shutil.rmtree(room.root / "submitted")
    take_students(room, table)
    done = collect(room, "words", [files])
    assert done.unknown == ["Bob Müller"] and set(submitted(room)) == {
        "ada/words/one.ipynb",
        "Bob Müller/words/one.ipynb",
    }
