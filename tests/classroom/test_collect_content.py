"""`autograder collect`: what a notebook is, its cells say; whose it is, is never guessed; what it dropped, it tells."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import inputs
import pytest
from lms_files import DAY, NOON, listed, notebook, packed, put, submitted
from small_course import Course

from autograder.classroom.classroom import Classroom
from autograder.classroom.collecting.collect import collect
from autograder.classroom.collecting.origins import read_origins
from autograder.classroom.collecting.uncollected import read_uncollected
from autograder.classroom.submission.notes import NoteKind

pytestmark = inputs.grading


@pytest.fixture
def room(lms_room: Classroom) -> Classroom:
    return lms_room


def test_two_exercises_under_one_name_are_two(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "ada/one.ipynb", notebook(room, "two"), NOON + DAY)
    put(tmp_path / "down", "ada/one (1).ipynb", notebook(room, "one"), NOON)
    done = collect(room, "words", [tmp_path / "down"])
    assert submitted(room) == {f"ada/words/{name}.ipynb": notebook(room, name) for name in ("one", "two")}
    assert done.notes == ["Ada Lovelace (ada): ada/one.ipynb holds two, and is collected as that."] and not done.left


def test_another_chapters_exercise_is_told(room: Classroom, tmp_path: Path) -> None:
    there = room.root / "exercises" / "numbers" / "three.ipynb"
    there.parent.mkdir()
    there.write_bytes(notebook(room).replace(b"%%cuda ", b"%%cuda third_"))
    put(tmp_path / "down", "ada/one.ipynb", there.read_bytes())
    (left,) = collect(room, "words", [tmp_path / "down"]).left
    assert left.why.startswith("it holds three of the chapter numbers, not one of words. Collect it there (`autograder")
    assert left.student == "ada" and not submitted(room)


def test_a_notebook_of_both_exercises_goes_by_its_name(room: Classroom, tmp_path: Path) -> None:
    both = Course(room.root).released("words", "one")
    both["cells"] += Course(room.root).released("words", "two")["cells"]
    put(tmp_path / "down", "ada/two.ipynb", json.dumps(both).encode())
    put(tmp_path / "down", "bob/mine.ipynb", json.dumps(both).encode())
    done = collect(room, "words", [tmp_path / "down"])
    assert set(submitted(room)) == {"ada/words/two.ipynb"}
    assert [item.why for item in done.left] == [
        "it holds cells of one and two. If one is meant, rename it to one of one, two."
    ]


@pytest.mark.parametrize("late", ["", "LATE_"])
def test_canvas_anonymous(room: Classroom, tmp_path: Path, late: str) -> None:
    names = [f"{late}anon_{letters}_99000{i}_x.ipynb" for i, letters in enumerate(("k7Qx2", "9sd0a", "Zz111"))]
    put(tmp_path, "Words submissions.zip", packed(*((name, notebook(room, text=name)) for name in names)))
    done = collect(room, "words", [tmp_path / "Words submissions.zip"])
    assert done.unknown == ["anon_9sd0a", "anon_Zz111", "anon_k7Qx2"] and not done.left
    assert len(submitted(room)) == 3 and len(done.reported) == (3 if late else 0)


def test_unknown_names_are_never_merged(room: Classroom, tmp_path: Path) -> None:
    """A zip of a class, and a folder of somebody's, in both of which the names say nothing; but a folder of one."""
    files = [(f"{name}.ipynb", notebook(room, text=name)) for name in ("a7", "b8", "c9")]
    put(tmp_path, "Words.zip", packed(*files))
    for name, content in files:
        put(tmp_path / "down", f"somebody/{name}", content)
    put(tmp_path / "down", "carl/one.ipynb", notebook(room, text="carl"))
    put(tmp_path / "down", "carl/two.ipynb", notebook(room, "two", "carl"))
    done = collect(room, "words", [tmp_path / "Words.zip", tmp_path / "down"])
    assert set(submitted(room)) == {"carl/words/one.ipynb", "carl/words/two.ipynb"}
    assert len(done.left) == 6
    assert sum("they may be several students'" in item.why for item in done.left) == 3


def test_what_was_dropped_and_what_is_late_is_kept_for_the_report(room: Classroom, tmp_path: Path) -> None:
    down = tmp_path / "down"
    put(down, "lovelaceada_LATE_12345_1_one-1.ipynb", notebook(room, text="new"), NOON + DAY)
    put(down, "lovelaceada_LATE_12345_2_one.ipynb", notebook(room, text="old"))
    collect(room, "words", [down])
    reported = {item.kind: item for item in read_uncollected(room, "words")}
    assert set(reported) == {NoteKind.VERSIONS, NoteKind.LATE}
    assert reported[NoteKind.VERSIONS].name == "lovelaceada_LATE_12345_2_one.ipynb"
    assert "put it in the place of submitted/" in reported[NoteKind.VERSIONS].why
    assert "timestamp.txt (such as 2026-03-01 12:00 UTC) and grade again" in reported[NoteKind.LATE].why
    assert read_origins(room, "words") == {"ada": "lovelaceada_LATE_12345_1_one-1.ipynb"}
    Course(room.root).submit("ada", "words", "one", notebook(room, text="chosen by hand"))
    assert not listed(room)


def test_blackboards_own_text_is_nobodys(room: Classroom, tmp_path: Path) -> None:
    for name in ("Words_carl_attempt_2026-01-30-15-00-00", "Words_ada_attempt_2026-01-30-16-00-00"):
        put(tmp_path / "down", f"{name}.txt", b"Name: Ada Lovelace (ada)")
        put(tmp_path / "down", f"{name}_one.ipynb", notebook(room))
    put(tmp_path / "down", "Words_bob_attempt_2026-01-30-16-00-00.txt", b"See my e-mail.")
    done = collect(room, "words", [tmp_path / "down"])
    assert set(submitted(room)) == {"ada/words/one.ipynb", "carl/words/one.ipynb"}
    assert [(item.student, item.why) for item in done.left] == [
        ("bob", "Bob Müller (bob) handed in no notebook. Ask for the .ipynb file.")
    ]


@pytest.mark.parametrize(
    ("message", "stamp"),
    [
        ("Jan 30, 2026 311 PM", "2026-01-30 15:11:00 UTC"),
        ("Jan 3, 2026 1205 AM", "2026-01-03 00:05:00 UTC"),
        ("Jan 30, 2026 1500 PM", "2026-01-30 15:00:00 UTC"),
        ("Foo 30, 2026 311 PM", None),
    ],
)
def test_brightspace_tells_the_time(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str, stamp: str | None
) -> None:
    put(tmp_path / "down", f"81-12 - Ada Lovelace - {message}/one.ipynb", notebook(room))
    collect(room, "words", [tmp_path / "down"])
    path = room.root / "submitted" / "ada" / "words" / "timestamp.txt"
    assert (path.read_text().strip() if path.exists() else None) == stamp


def test_the_last_of_a_students_files_says_when(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "Words_ada_attempt_2026-01-30-18-00-00_one.ipynb", notebook(room))
    put(tmp_path / "down", "Words_ada_attempt_2026-01-30-15-00-00_two.ipynb", notebook(room, "two"))
    collect(room, "words", [tmp_path / "down"])
    assert (room.root / "submitted/ada/words/timestamp.txt").read_text() == "2026-01-30 18:00:00 UTC\n"


def test_who_reads_only_the_first_line_sees_no_error(room: Classroom, tmp_path: Path) -> None:
    for number in range(200):
        put(tmp_path / "down", f"student{number}/one.txt", b"x" * 10)
    put(tmp_path / "down", "ada/one.ipynb", notebook(room))
    command = f"{sys.executable} -m autograder collect words {tmp_path}/down | head -1"
    done = subprocess.run(command, shell=True, cwd=room.root, capture_output=True, text=True)
    assert done.stdout.startswith("1 student:") and not done.stderr
