"""Moodle's grading worksheet beside the archive says who is who, and when each came."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import inputs
import pytest
from lms_files import DAY, NOON, notebook, packed, put, submitted
from nbgrader.api import Student

from autograder.classroom.classroom import Classroom
from autograder.classroom.collecting.collect import collect, lines_of
from autograder.classroom.collecting.origins import read_origins
from autograder.classroom.lms import path_in_archive
from autograder.classroom.results.lateness import set_due

pytestmark = inputs.grading

HEADER = ("Identifier", "Full name", "ID number", "Email address", "Status", "Group", "Last modified (submission)")
WHEN = "Friday, 30 January 2026, 10:00 AM"
#: Two students of one name, one of whom the list of students has by e-mail address only.
LINES = (
    ("Participant 2201", "Ada Lovelace", "", "A.Byron@example.org", "", "", WHEN),
    ("Participant 2208", "Wei Zhang", "k010", "", "", "", WHEN),
    ("Participant 2209", "Wei Zhang", "", "wz@x.org", "", "", "Friday, 30 January 2026, 11:00 AM"),
    ("Participant 2210", "Zed Roe", "", "zed@x.org", "", "", "-"),
)


def sheet(lines: Sequence[Sequence[str]] = LINES, without: Sequence[str] = ()) -> bytes:
    out = io.StringIO()
    table = csv.DictWriter(out, [name for name in HEADER if name not in without], extrasaction="ignore")
    table.writeheader()
    table.writerows(dict(zip(HEADER, line, strict=True)) for line in lines)
    return ("\ufeff" + out.getvalue()).encode()


def in_team(lines: Sequence[Sequence[str]], teams: Sequence[str]) -> list[tuple[str, ...]]:
    return [(*line[:5], team, line[6]) for line, team in zip(lines, teams, strict=True)]


@pytest.fixture
def room(lms_room: Classroom, monkeypatch: pytest.MonkeyPatch) -> Classroom:
    monkeypatch.setenv("TZ", "UTC")
    with lms_room.gradebook() as gradebook:
        for who, mail in (("k010", ""), ("k011", "wz@x.org")):
            gradebook.db.add(Student(id=who, first_name="Wei", last_name="Zhang", email=mail))
        gradebook.db.commit()
    return lms_room


def download(room: Classroom, folder: Path, *names: str, table: bytes = b"") -> list[Path]:
    """An archive of notebooks, each with its name in it, and perhaps the worksheet."""
    files = [(f"{name}_assignsubmission_file/one.ipynb", notebook(room, text=name)) for name in names]
    found = [put(folder, "Words-4711.zip", packed(*files))]
    return [*found, put(folder, "Grades-Words-4711.csv", table)] if table else found


def is_from(room: Classroom, student: str, name: str) -> bool:
    return submitted(room)[f"{student}/words/one.ipynb"] == notebook(room, text=name)


def stamp_of(room: Classroom, student: str) -> str:
    return (room.root / "submitted" / student / "words" / "timestamp.txt").read_text().strip()


def test_two_of_one_name_are_told_apart(room: Classroom, tmp_path: Path) -> None:
    names = ("Wei Zhang_2208", "Wei Zhang_2209")
    done = collect(room, "words", download(room, tmp_path, *names))
    assert len(done.left) == 2 and not submitted(room)
    assert done.left[0].why == (
        "'Wei Zhang' may be k010 or k011. Collect it together with Moodle's grading worksheet, which says whose it is, "
        "or put it into a folder with the right id."
    )
    done = collect(room, "words", download(room, tmp_path, *names, table=sheet()))
    assert not done.left and done.new == [("k010", "one"), ("k011", "one")]
    assert is_from(room, "k010", names[0]) and is_from(room, "k011", names[1])
    assert stamp_of(room, "k011") == "2026-01-30 11:00:00 UTC"
    assert "submission times: 2 students, from Grades-Words-4711.csv." in lines_of(done)


def test_blind_marking(room: Classroom, tmp_path: Path) -> None:
    names = ("Participant_2201", "Participant_2209", "Participant_2210", "Participant_999")
    collect(room, "words", download(room, tmp_path, *names, table=sheet()))
    assert is_from(room, "ada", "Participant_2201") and is_from(room, "k011", "Participant_2209")
    assert path_in_archive(read_origins(room, "words")["ada"], "words").startswith("Participant_2201_assignsubmission_")
    assert {path.split("/")[0] for path in submitted(room)} == {"ada", "k011"}  # nobody knows whose the others are


def test_a_worksheet_of_another_assignment_says_nothing(room: Classroom, tmp_path: Path) -> None:
    """There the same number is somebody else's."""
    other = [("Participant 2208", "Ada Lovelace", "", "a.byron@example.org", "", "", WHEN), *LINES[3:]]
    done = collect(room, "words", download(room, tmp_path, "Wei Zhang_2208", table=sheet(other)))
    assert len(done.left) == 1 and not submitted(room)


@pytest.mark.parametrize(
    "name",
    ["Gruppe 1_77", "Gruppe 1-Ada Lovelace_2201", "Gruppe 1-Participant_2209"],
    ids=["of the team", "of a member", "marked blindly"],
)
def test_a_team_hands_in_once_for_each_member(room: Classroom, tmp_path: Path, name: str) -> None:
    lines = in_team(LINES, ["Gruppe 1", "Gruppe 2", "Gruppe 1", "-"])
    done = collect(room, "words", download(room, tmp_path, name, table=sheet(lines)))
    assert not done.left and done.new == [("ada", "one"), ("k011", "one")]
    origins = read_origins(room, "words")
    assert {path_in_archive(origins[who], "words").split("_")[1] for who in ("ada", "k011")} == {"2201", "2209"}


def test_a_number_of_a_team_is_nobodys(room: Classroom, tmp_path: Path) -> None:
    """It may be somebody's else's number as a participant."""
    lines = in_team(LINES, ["Gruppe 1", "Gruppe 2", "", ""])
    done = collect(room, "words", download(room, tmp_path, "Gruppe 2_2201", table=sheet(lines)))
    assert done.new == [("k010", "one")]


def test_who_was_placed_by_hand_has_a_time(room: Classroom, tmp_path: Path) -> None:
    """And may be late."""
    set_due(room, "words", "2026-01-30 10:30 UTC")
    put(tmp_path / "hand", "k011/one.ipynb", notebook(room))
    collect(room, "words", [tmp_path / "hand"])
    done = collect(room, "words", [put(tmp_path, "Grades.csv", sheet())])
    assert stamp_of(room, "k011") == "2026-01-30 11:00:00 UTC" and done.times == ("Grades.csv", 1)
    assert done.untimed[0] == 0


def test_times_of_another_assignment_are_nobodys(room: Classroom, tmp_path: Path) -> None:
    """Known by a student whom it gives another number than the archive."""
    put(tmp_path / "hand", "k011/one.ipynb", notebook(room))
    put(tmp_path / "hand", "Ada Lovelace_5501_assignsubmission_file/one.ipynb", notebook(room), NOON + DAY)
    collect(room, "words", [tmp_path / "hand"])
    done = collect(room, "words", [put(tmp_path, "Grades.csv", sheet())])
    assert done.times == ("Grades.csv", 0)


def test_a_students_own_table_says_nothing(room: Classroom, tmp_path: Path) -> None:
    names = ("Wei Zhang_2208", "Wei Zhang_2209")
    download(room, tmp_path / "down", *names)
    put(tmp_path / "down", "Wei Zhang_2208_assignsubmission_file_Grades.csv", sheet())
    collect(room, "words", [tmp_path / "down"])
    assert not submitted(room)
