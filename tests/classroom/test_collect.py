"""`autograder collect`: names mangled by an LMS or a browser, and archives made to do harm."""

from __future__ import annotations

import json
import os
import random
import shlex
import shutil
import struct
from pathlib import Path

import inputs
import pytest
from lms_files import DAY, NOON, left, listed, notebook, packed, put, submitted
from nbgrader.api import Student
from small_course import Course

from autograder import cli
from autograder.classroom.classroom import Classroom
from autograder.classroom.collecting import downloads
from autograder.classroom.collecting.collect import collect, lines_of
from autograder.classroom.collecting.origins import read_origins
from autograder.classroom.collecting.uncollected import Uncollected, read_uncollected
from autograder.classroom.collecting.versions import Collected
from autograder.classroom.lms import systems
from autograder.cuda.errors import UsageError

pytestmark = inputs.grading


@pytest.fixture
def room(lms_room: Classroom) -> Classroom:
    return lms_room


#: The names that systems give to ada's and bob's submissions.
SYSTEMS = [
    ("Ada Lovelace_1234567_assignsubmission_file_/one.ipynb", "Bob Müller_12_assignsubmission_file_/one.ipynb"),
    ("Ada Lovelace_1_assignsubmission_file/homework/one.ipynb", "Bob Müller_2_assignsubmission_file/one.ipynb"),
    ("Ada Lovelace_1234567_assignsubmission_file_one.ipynb", "Bob Müller_12_assignsubmission_file_one.ipynb"),
    ("Lab A-Ada Lovelace_1_assignsubmission_file_/one.ipynb", "Lab A-Bob Müller_2_assignsubmission_file_/one.ipynb"),
    ("lovelaceada_12345_678901_one.ipynb", "somebody_777_678902_one.ipynb"),
    ("lovelaceada_LATE_12345_678901_one-2.ipynb", "mullerbob_777_678902_Copy of one.ipynb"),
    ("Words_ada_attempt_2026-01-30-15-00-00_one.ipynb", "Words_bob_attempt_2026-01-30-16-00-00_one.ipynb"),
    ("Lovelace, Ada(ada)/Submission attachment(s)/one.ipynb", "Müller, Bob(bob)/Submission attachment(s)/one.ipynb"),
    ("Lovelace_Ada_ada_4711/one.ipynb", "Muller_Bob_bob_4712/one.ipynb"),
    ("81-12 - Ada Lovelace - Jan 30, 2026 1500 PM/one.ipynb", "82-12 - Bob Müller - Jan 30, 2026 16 PM/one.ipynb"),
    ("hw-1-ada/one.ipynb", "hw-1-bob/one.ipynb"),
    ("words_ada/one.ipynb", "words-bob/one.ipynb"),
    ("a.byron@example.org/one.ipynb", "BOB/words/one.ipynb"),
    ("ada.zip", "bob.zip"),
    ("ada/work.zip", "bob/work.zip"),
]
FILES = [
    "one.ipynb",
    "Copy of one.ipynb",
    "Kopie von one (3).ipynb",
    "one.ipynb.txt",
    "one.ipynb.json",
    "words-one final.IPYNB",
    "Untitled7.ipynb",
]


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("names", SYSTEMS, ids=lambda names: names[0].partition("/")[0])
@pytest.mark.parametrize("how", ["a folder", "an archive", "a folder in an archive"])
def test_names_of_systems(room: Classroom, tmp_path: Path, names: tuple[str, str], how: str) -> None:
    files = {}
    for name, text in zip(names, ("ada's", "bob's"), strict=True):
        content = notebook(room, text=text)
        files[name] = packed(("one.ipynb", content)) if name.endswith(".zip") else content
    if how == "a folder":
        source = tmp_path / "Downloads"
        for name, content in files.items():
            put(source, name, content)
    else:
        inside = "CS 101/Words/" if how != "an archive" else ""
        source = put(tmp_path, "Words_2026_03_01.zip", packed(*((inside + name, files[name]) for name in files)))
    done = collect(room, "words", [source])
    assert not done.left and not done.unknown and not done.notes
    wanted = {f"{who}/words/one.ipynb": notebook(room, text=f"{who}'s") for who in ("ada", "bob")}
    assert submitted(room) == wanted


def test_no_pattern_takes_the_name_of_another_system() -> None:
    patterns = [(name, pattern) for name, lms in systems().items() for pattern in lms.submissions]
    for name in (name for names in SYSTEMS for name in names):
        taken = [lms for lms, form in patterns if any(map(form.fullmatch, name.split("/")))]
        assert len(taken) < 2, f"{name} fits {taken}"
    for lms, form in patterns:
        rows = [*SYSTEMS, ("anon_k7Qx2_99_one.ipynb",)]  # whose students nobody knows
        assert any(form.fullmatch(part) for names in rows for part in names[0].split("/")), f"no row for {lms}"


@pytest.mark.parametrize("name", FILES)
def test_names_of_browsers_and_colab(room: Classroom, tmp_path: Path, name: str) -> None:
    put(tmp_path / "down", f"ada/{name}", notebook(room))
    put(tmp_path / "down", "bob_one.ipynb", notebook(room))
    assert not collect(room, "words", [tmp_path / "down"]).left
    assert set(submitted(room)) == {"ada/words/one.ipynb", "bob/words/one.ipynb"}


def test_a_notebook_without_metadata_is_known_by_its_cells(room: Classroom, tmp_path: Path) -> None:
    bare = json.loads(notebook(room, "two"))
    bare["cells"] = [{"cell_type": "code", "source": cell["source"]} for cell in reversed(bare["cells"])]
    put(tmp_path, "ada/Untitled.ipynb", json.dumps(bare).encode())
    collect(room, "words", [tmp_path / "ada" / "Untitled.ipynb", tmp_path / "ada"])
    done = collect(room, "words", [put(tmp_path, "down/ada/Untitled.ipynb", json.dumps(bare).encode()).parents[1]])
    assert not done.left and set(submitted(room)) == {"ada/words/two.ipynb"}


def test_times_are_kept_and_late_is_who_a_system_says(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "ada/one.ipynb", notebook(room))
    put(tmp_path / "down", "Words_bob_attempt_2026-01-30-15-00-00_one.ipynb", notebook(room))
    put(tmp_path, "c.zip", packed(("carl/two.ipynb", notebook(room, "two"))))
    collect(room, "words", [tmp_path / "down", tmp_path / "c.zip"])
    top = room.root / "submitted"
    assert (top / "ada/words/one.ipynb").stat().st_mtime == (top / "carl/words/two.ipynb").stat().st_mtime == NOON
    assert not (top / "ada/words/timestamp.txt").exists()  # the browser's date may be the download's
    assert str(room.timestamp(top / "bob" / "words")) == "2026-01-30 15:00:00"


def test_the_latest_version_counts_and_it_is_said(room: Classroom, tmp_path: Path) -> None:
    with room.gradebook() as gradebook:
        gradebook.add_student("carl")
    old, new = notebook(room, text="old"), notebook(room, text="new")
    put(tmp_path / "down", "ada/one.ipynb", new, NOON + DAY)
    put(tmp_path / "down", "ada/one (1).ipynb", old, NOON)
    put(tmp_path / "down", "ada/same/one.ipynb", new, NOON)
    put(tmp_path / "down", "bob/one.ipynb", old)
    put(tmp_path / "down", "bob/one-1.ipynb", new)
    put(tmp_path / "down", "carl/one.ipynb", new)
    put(tmp_path / "down", "carl/one (1).ipynb", b'{"cells": [', NOON + DAY)
    done = collect(room, "words", [tmp_path / "down"])
    assert set(submitted(room).values()) == {new}
    assert done.notes == [
        "Ada Lovelace (ada), one: several versions. ada/one.ipynb counts, the latest; not ada/one (1).ipynb.",
        "Bob Müller (bob), one: several versions. bob/one-1.ipynb counts, the latest; not bob/one.ipynb.",
        "carl, one: several versions. carl/one.ipynb counts, the latest that can be read; not carl/one (1).ipynb.",
    ]


def test_what_was_collected_is_replaced_by_what_is_later_only(room: Classroom, tmp_path: Path) -> None:
    source = tmp_path / "down"
    put(source, "ada/one.ipynb", notebook(room, text="first"))
    assert collect(room, "words", [source]).new == [("ada", "one")]
    again = collect(room, "words", [source])
    assert (again.new, again.replaced, again.unchanged, again.notes) == ([], [], [("ada", "one")], [])
    put(source, "ada/one.ipynb", notebook(room, text="second"), NOON + DAY)
    later = collect(room, "words", [source])
    assert later.replaced == [("ada", "one")]
    assert later.notes == ["Ada Lovelace (ada), one: replaced by ada/one.ipynb, which is later."]
    put(source, "ada/one.ipynb", notebook(room, text="first"), NOON)
    older = collect(room, "words", [source])
    assert not older.replaced and "is older than submitted/ada/words/one.ipynb, which stays" in older.notes[0]
    assert submitted(room) == {"ada/words/one.ipynb": notebook(room, text="second")}


def test_what_cannot_be_read_replaces_nothing(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "ada/one.ipynb", notebook(room))
    collect(room, "words", [tmp_path / "down"])
    put(tmp_path / "down", "ada/one.ipynb", b"{", NOON + DAY)
    (why,) = collect(room, "words", [tmp_path / "down"]).left
    assert "could not be read" in why.why and "What was collected before stays." in why.why
    assert submitted(room) == {"ada/words/one.ipynb": notebook(room)}


def test_unreadable_files_and_unknown_students_are_named(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "ada/one.ipynb", b"")
    put(tmp_path / "down", "bob/report.pdf", b"%PDF")
    put(tmp_path / "down", "bob/work.7z", b"7z")
    put(tmp_path / "down", "carl/one.ipynb", notebook(room))
    put(tmp_path / "down", "dora/three.ipynb", b'{"cells": []}')
    put(tmp_path / "down", "Copy of one.ipynb", notebook(room))
    put(tmp_path / "down", "__MACOSX/ada/._one.ipynb", b"x")
    put(tmp_path / "down", "ada/.ipynb_checkpoints/one-checkpoint.ipynb", b"x")
    done = collect(room, "words", [tmp_path / "down"])
    assert set(submitted(room)) == {"ada/words/one.ipynb", "carl/words/one.ipynb"}
    assert done.unknown == ["carl"]
    (note,) = done.notes
    assert note.startswith("Ada Lovelace (ada), one: ada/one.ipynb could not be read: it is empty. It is collected as")
    assert {item.name: (item.student, item.why) for item in done.left} == {
        "bob/work.7z": ("bob", "Only zip archives are unpacked here: unpack it by hand, and collect the folder."),
        "Copy of one.ipynb": (
            "",
            "Its name does not say whose it is. Put it into a folder with the student's id.",
        ),
        "dora/three.ipynb": (
            "dora",
            "it is not an exercise of words, by name or cells. If it is meant, rename it to one of one, two.",
        ),
        "bob/report.pdf": ("bob", "Bob Müller (bob) handed in no notebook. Ask for the .ipynb file."),
    }


def test_what_was_not_collected_is_kept_until_it_is_dealt_with(room: Classroom, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    put(first, "ada/one.ipynb", notebook(room))
    put(first, "ada/work.rar", b"")
    put(first, "bob/one.pdf", b"")
    put(first, "carl.zip", b"PK")
    put(first, "Copy of one.ipynb", notebook(room, text="whose?"))
    put(first, "dora/three.ipynb", b'{"cells": []}')
    put(second, "ada/two.ipynb", notebook(room, "two"))
    put(second, "old.rar", b"")
    collect(room, "words", [first])
    stored = ["ada/work.rar", "carl.zip", "Copy of one.ipynb", "dora/three.ipynb", "bob/one.pdf"]
    assert sorted(listed(room)) == sorted(stored)
    collect(room, "words", [first])
    assert sorted(listed(room)) == sorted(stored)  # each once
    shutil.rmtree(first)
    collect(room, "words", [second])  # something new of ada's, and one more
    assert sorted(listed(room)) == sorted([*stored[1:], "old.rar"])
    Course(room.root).submit("eve", "words", "one", notebook(room, text="whose?"))
    Course(room.root).submit("bob", "words", "one", notebook(room))
    assert sorted(listed(room)) == ["carl.zip", "dora/three.ipynb", "old.rar"]
    put(first, "carl/one.ipynb", notebook(room))
    collect(room, "words", [first])  # without dora's
    assert listed(room) == ["old.rar"]
    (second / "old.rar").unlink()
    collect(room, "words", [second])
    assert not listed(room) and not read_uncollected(room, "other")


def test_a_broken_later_version_is_listed_until_that_exercise_comes(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "ada/one.ipynb", notebook(room))
    collect(room, "words", [tmp_path / "down"])
    put(tmp_path / "late", "ada/one.ipynb", b"{", NOON + DAY)
    collect(room, "words", [tmp_path / "late"])
    put(tmp_path / "down", "ada/two.ipynb", notebook(room, "two"))
    collect(room, "words", [tmp_path / "down"])
    assert listed(room) == ["ada/one.ipynb"]
    Course(room.root).submit("ada", "words", "one", notebook(room, text="asked for"))
    assert not listed(room)


def test_a_list_that_is_no_list_is_told(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "x.rar", b"")
    collect(room, "words", [tmp_path / "down"])
    (stored,) = (room.root / "_build" / "grading").rglob("words.json")
    stored.write_text("[1]")
    with pytest.raises(UsageError, match=r"words.json cannot be read .*Delete it, and collect again."):
        read_uncollected(room, "words")


def test_an_unknown_student_who_becomes_known_leaves_no_folder(room: Classroom, tmp_path: Path) -> None:
    lms = tmp_path / "lms"
    put(lms, "Cleo Doe_9_assignsubmission_file_/one.ipynb", notebook(room))
    put(lms, "Cleo Doe_9_assignsubmission_file_/two.ipynb", notebook(room, "two"))
    put(lms, "Bob Müller_8_assignsubmission_file_/one.ipynb", notebook(room))
    assert collect(room, "words", [lms]).unknown == ["Cleo Doe"]
    former = room.root / "submitted" / "Cleo Doe" / "words"
    (former / "two.ipynb").write_bytes(notebook(room, text="changed since"))
    with room.gradebook() as gradebook:
        gradebook.db.add(Student(id="cleo", first_name="Cleo", last_name="Doe"))
        gradebook.db.commit()
    done = collect(room, "words", [lms])
    assert done.new == [("cleo", "one"), ("cleo", "two")] and not done.unknown
    assert [path.name for path in former.iterdir()] == ["two.ipynb"]  # there is no other copy
    assert done.moved == [("cleo", "Cleo Doe")] and [note.partition(":")[0] for note in done.notes] == [
        "Cleo Doe (cleo), two"
    ]
    assert "unknown until now: Cleo Doe is cleo. 1 notebook moved there." in lines_of(done)
    (former / "two.ipynb").write_bytes(notebook(room, "two"))
    collect(room, "words", [lms])
    assert sorted(path.name for path in (room.root / "submitted").iterdir()) == ["bob", "cleo"]


def test_two_of_one_name_are_told_apart_or_left(room: Classroom, tmp_path: Path) -> None:
    for name in ("Eve Doe_11_assignsubmission_file_", "Eve Doe_12_assignsubmission_file_", "doejane_98_1_one.ipynb"):
        put(tmp_path / "down", f"{name}/one.ipynb" if name.endswith("_") else name, notebook(room))
    put(tmp_path / "down", "doejane_99_2_one.ipynb", notebook(room))
    put(tmp_path / "down", "ada-bob/one.ipynb", notebook(room))
    why = left(room, tmp_path / "down")
    assert len(why) == 5 and not submitted(room)
    assert sum("Several students are called" in line for line in why.values()) == 4
    assert why["ada-bob/one.ipynb"].startswith("'ada-bob' may be ada or bob, or the name of somebody else.")


def test_nobody_takes_a_known_students_name(room: Classroom, tmp_path: Path) -> None:
    """Neither in one download nor one after the other; feedback goes back to who was first."""
    ada, mallory = (f"Ada Lovelace_{number}_assignsubmission_file" for number in (11, 22))
    put(tmp_path / "first", f"{ada}/one.ipynb", notebook(room))
    collect(room, "words", [tmp_path / "first"])
    for n, folder in enumerate((tmp_path / "both", tmp_path / "then")):
        for name in (ada, mallory)[n:]:
            put(folder, f"{name}/two.ipynb", notebook(room, "two", name))
        why = left(room, folder)
        assert len(why) == 2 - n and not (room.root / "submitted" / "ada" / "words" / "two.ipynb").exists()
        assert all(
            message.startswith("Files came under ada's name with the numbers 11 and 22: ") for message in why.values()
        )
    assert read_origins(room, "words") == {"ada": ada}
    put(tmp_path / "hers", "ada/two.ipynb", notebook(room, "two"))
    assert collect(room, "words", [tmp_path / "hers"]).new == [("ada", "two")]


def test_the_number_of_an_account_goes_before_a_name(room: Classroom, tmp_path: Path) -> None:
    """And it is no id."""
    with room.gradebook() as gradebook:
        gradebook.update_or_create_student("ada", lms_user_id="11")
        gradebook.update_or_create_student("22")
    put(tmp_path / "down", "somebody_11_7_one.ipynb", notebook(room))
    put(tmp_path / "down", "lovelaceada_22_8_two.ipynb", notebook(room, "two"))
    (why,) = left(room, tmp_path / "down").values()
    assert why.startswith("Its name is ada's, but its number 22 is not, which is 11.")
    assert set(submitted(room)) == {"ada/words/one.ipynb"}


def test_two_unknown_people_of_one_name_are_never_one(room: Classroom, tmp_path: Path) -> None:
    """Neither in one download nor one after the other, whatever they handed in."""
    for name, exercise in (("ada", "one"), ("bob", "two")):
        put(tmp_path / "down", f"Zed Roe/{name}/{exercise}.ipynb", notebook(room, exercise, f"{name}'s"))
    put(tmp_path / "down", "carl/one.ipynb", notebook(room))
    why = left(room, tmp_path / "down")
    assert set(why) == {"Zed Roe/ada/one.ipynb", "Zed Roe/bob/two.ipynb"}
    for message in why.values():
        assert message.startswith(
            "'Zed Roe' is not in the gradebook, and there are several folders under that name: they"
        )
    assert set(submitted(room)) == {"carl/words/one.ipynb"}
    put(tmp_path / "first", "Zed Roe_11_assignsubmission_file/one.ipynb", notebook(room))
    put(tmp_path / "then", "Zed Roe_12_assignsubmission_file/two.ipynb", notebook(room, "two"))
    assert collect(room, "words", [tmp_path / "first"]).unknown == ["Zed Roe"]
    (message,) = left(room, tmp_path / "then").values()
    assert "files under that name came before as Zed Roe_11_assignsubmission_file: they may be several" in message
    assert listed(room) == [*sorted(why), "Zed Roe_12_assignsubmission_file/two.ipynb"]
    put(tmp_path / "again", "Zed Roe_11_assignsubmission_file/two.ipynb", notebook(room, "two", "later"))
    collect(room, "words", [tmp_path / "again"])
    assert set(submitted(room)) == {"carl/words/one.ipynb", *(f"Zed Roe/words/{name}.ipynb" for name in ("one", "two"))}


@pytest.mark.parametrize(
    "name",
    [
        "Bob Roe_12_assignsubmission_file_/ada_1_2_one.ipynb",
        "Bob Roe_12_assignsubmission_file_/ada/one.ipynb",
        "Bob Roe_12_assignsubmission_file_/Ada Lovelace_1_assignsubmission_file_/one.ipynb",
        "Bob Roe_12_assignsubmission_file_Ada Lovelace_1_assignsubmission_file_one.ipynb",
        "bobroe_12_34_Words_ada_attempt_2020-01-01-00-00-00_one.ipynb",
        "bobroe_12_34_ada_one.ipynb",
        "Words_bobroe_attempt_2026-01-30-15-00-00_ada_attempt_2020-01-01-00-00-00_one.ipynb",
        "bobroe/ada_one.ipynb",
        "bobroe.zip/ada/one.ipynb",
    ],
)
def test_nobody_hands_in_for_another(room: Classroom, tmp_path: Path, name: str) -> None:
    """Bob Roe is not in the gradebook, and chooses the ends of his file names."""
    archive, zipped, inner = name.partition(".zip/")
    if zipped:
        put(tmp_path / "down", f"{archive}.zip", packed((inner, notebook(room))))
    else:
        put(tmp_path / "down", name, notebook(room))
    put(tmp_path / "down", "carl/one.ipynb", notebook(room))
    collect(room, "words", [tmp_path / "down"])
    assert {path.partition("/")[0].lower().replace(" ", "") for path in submitted(room)} == {"bobroe", "carl"}
    for stamp in (room.root / "submitted").rglob("timestamp.txt"):
        assert stamp.read_text() == "2026-01-30 15:00:00 UTC\n"  # the system's


@pytest.mark.parametrize(
    "name",
    [
        "bob/Words_ada_attempt_2020-01-01-00-00-00_one.ipynb",
        "bob/Words_bob_attempt_2020-01-01-00-00-00_one.ipynb",
        "bob/Ada Lovelace_1_assignsubmission_file_/one.ipynb",
        "Bob Müller/x_678_2_one.ipynb",
        "bob.zip/Words_ada_attempt_2020-01-01-00-00-00_one.ipynb",
        "bobroe/Words_ada_attempt_2020-01-01-00-00-00_one.ipynb",
    ],
)
def test_a_name_as_an_lms_makes_them_says_nothing_within_a_folder(room: Classroom, tmp_path: Path, name: str) -> None:
    with room.gradebook() as gradebook:
        gradebook.find_student("ada").lms_user_id = "678"
        gradebook.db.commit()
    archive, zipped, inner = name.partition(".zip/")
    path, content = (f"{archive}.zip", packed((inner, notebook(room)))) if zipped else (name, notebook(room))
    put(tmp_path / "down", path, content)
    put(tmp_path / "down", "carl/one.ipynb", notebook(room))
    done = collect(room, "words", [tmp_path / "down"])
    if name.startswith("bobroe"):
        (why,) = done.left
        assert why.why.startswith("'bobroe' is not in the gradebook, and a name within it may be by its author's")
    assert set(submitted(room)) == {"carl/words/one.ipynb"} | ({"bob/words/one.ipynb"} if not done.left else set())
    assert not list((room.root / "submitted").rglob("timestamp.txt"))


def _two_downloads(room: Classroom, folder: Path) -> None:
    """Moodle's archive and a folder of Canvas's, as a teacher keeps them; each has files of two people."""
    moodle = ("Ada Lovelace_1_assignsubmission_file_/one.ipynb", "Zed Roe_2_assignsubmission_file_/one.ipynb")
    put(folder, "Words-4711.zip", packed(*((name, notebook(room)) for name in moodle)))
    put(folder, "canvas/mullerbob_777_9_two.ipynb", notebook(room, "two"))
    put(folder, "canvas/roezed_LATE_778_8_one.ipynb", notebook(room, text="another's"))
    put(folder, "grades.csv", b"Student,ID")


def test_a_folder_of_downloads_is_taken_as_several(room: Classroom, tmp_path: Path) -> None:
    _two_downloads(room, tmp_path / "down")
    done = collect(room, "words", [tmp_path / "down"])
    assert not done.left and done.unknown == ["Zed Roe", "roezed"]  # of whom nobody knows that they are one
    assert {"ada/words/one.ipynb", "bob/words/two.ipynb"} < set(submitted(room))


def test_a_list_beside_the_only_download_does_no_harm(room: Classroom, tmp_path: Path) -> None:
    _two_downloads(room, tmp_path / "down")
    shutil.rmtree(tmp_path / "down" / "canvas")
    done = collect(room, "words", [tmp_path / "down"])
    assert not done.left and done.unknown == ["Zed Roe"] and "ada/words/one.ipynb" in submitted(room)


def test_who_collects_a_download_by_itself_has_dealt_with_the_folder_around_it(room: Classroom, tmp_path: Path) -> None:
    _two_downloads(room, tmp_path / "down")
    put(tmp_path / "down", "bob_one.ipynb", notebook(room))
    collect(room, "words", [tmp_path / "down"])
    assert [item.name for item in read_uncollected(room, "words")] == ["Words-4711.zip", "canvas"]
    collect(room, "words", [tmp_path / "down" / "Words-4711.zip"])
    assert [item.name for item in read_uncollected(room, "words") if item.why.startswith("It has several")] == [
        "canvas"
    ]


def test_what_many_files_have_in_common_is_one_line() -> None:
    left = [Uncollected(f"{name}.ipynb", "it is empty.", "") for name in "abcde"]
    done = Collected(left=[*left, Uncollected("f.ipynb", "it is large.", "")])
    assert [line for line in lines_of(done) if line.startswith("not collected: ")] == [
        "not collected: a.ipynb, b.ipynb, c.ipynb and 2 more: it is empty.",
        "not collected: f.ipynb: it is large.",
    ]


@pytest.mark.parametrize("beside", ["bob/one.ipynb", "Jane Doe/one.ipynb", "bob_one.ipynb", "Copy of one.ipynb"])
def test_a_download_among_students_files_is_told_once(room: Classroom, tmp_path: Path, beside: str) -> None:
    """What lies in a student's folder or archive may be there for its names, of others."""
    _two_downloads(room, tmp_path / "down")
    put(tmp_path / "down", beside, notebook(room))
    (tmp_path / "down" / "canvas").rename(tmp_path / "down" / "from canvas")
    why = left(room, tmp_path / "down")
    for name in ("Words-4711.zip", "from canvas"):
        path = shlex.quote(str(tmp_path / "down" / name))
        assert why[name].endswith(f"collect it by itself (`autograder collect words {path}`).")
    assert not any(name.startswith(("Words-4711.zip/", "from canvas/")) for name in why)
    assert "ada/words/one.ipynb" not in submitted(room) and "bob/words/two.ipynb" not in submitted(room)


def test_a_folder_of_one_student_is_not_taken_for_the_classes(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "Zed Roe/ada/one.ipynb", notebook(room))
    assert collect(room, "words", [tmp_path / "down"]).unknown == ["Zed Roe"]


@pytest.mark.parametrize(
    "student",
    [
        "..",
        "-rf",
        '=HYPERLINK("http:||evil.example")',
        "<b onmouseover=alert(1)>",
        "a\x1b[2J",
        "a\nb",
        "~root",
        "a" * 120,
    ],
)
def test_a_students_name_does_no_harm(room: Classroom, tmp_path: Path, student: str) -> None:
    name = f"{student}_1_assignsubmission_file_/one.ipynb"
    put(tmp_path, "x.zip", packed((name, notebook(room)), ("bob/one.ipynb", b"x")))
    done = collect(room, "words", [tmp_path / "x.zip"])
    assert set(submitted(room)) == {"bob/words/one.ipynb"}
    assert "cannot be a student's id. Rename the file or folder." in done.left[0].why
    assert all(line.isprintable() for line in lines_of(done))


@pytest.mark.parametrize(
    "name",
    ["../../ada/one.ipynb", "/etc/one.ipynb", "ada/../../one.ipynb", "..\\..\\ada\\one.ipynb", "C:\\ada\\one.ipynb"],
)
def test_a_name_leads_out_of_no_archive(room: Classroom, tmp_path: Path, name: str) -> None:
    before = {str(path) for path in tmp_path.rglob("*")}
    put(tmp_path, "x.zip", packed((name, notebook(room)), ("bob/one.ipynb", notebook(room))))
    (why,) = left(room, tmp_path / "x.zip").values()
    assert why.startswith("its name leads out of the archive.")
    made = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if str(path) not in before}
    there = {"x.zip", "course/submitted/bob/words/one.ipynb", "course/_build/grading/uncollected/words.json"}
    assert {name for name in made if not (tmp_path / name).is_dir()} == there


def test_links_and_pipes_are_not_followed(room: Classroom, tmp_path: Path) -> None:
    secret = put(tmp_path, "secret/one.ipynb", notebook(room))
    (tmp_path / "down" / "ada").mkdir(parents=True)
    (tmp_path / "down" / "ada" / "one.ipynb").symlink_to(secret)
    (tmp_path / "down" / "bob").symlink_to(secret.parent)
    os.mkfifo(tmp_path / "down" / "pipe.ipynb")
    put(tmp_path / "down", "x.zip", packed(("carl/one.ipynb", b"/etc/passwd"), link="carl/one.ipynb"))
    why = left(room, tmp_path / "down")
    assert set(why) == {"ada/one.ipynb", "bob", "pipe.ipynb", "x.zip/carl/one.ipynb"} and not submitted(room)
    assert all("is a link" in line for line in why.values())


def test_a_link_below_submitted_is_not_written_through(room: Classroom, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (room.root / "submitted").mkdir()
    (room.root / "submitted" / "ada").symlink_to(tmp_path / "elsewhere")
    put(tmp_path / "down", "ada/one.ipynb", notebook(room))
    assert "is a link or holds one" in left(room, tmp_path / "down")["ada/one.ipynb"]
    assert not list((tmp_path / "elsewhere").iterdir())


def test_bombs_do_not_go_off(room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "MAX_FILE_BYTES", 2 << 20)
    monkeypatch.setattr(downloads, "INNER_BYTES", 3 << 20)
    inner = packed(("one.ipynb", random.Random(1).randbytes(5 << 19)))
    several = packed(*((f"{i}/one.ipynb", bytes(3 << 19)) for i in range(3)))
    deep = packed(("a.zip", packed(("b.zip", packed(("c.zip", packed(("one.ipynb", notebook(room)))))))))
    nested = packed(*((f"{i}.zip", bytes(2 << 20)) for i in range(3)))
    liar = bytearray(packed(("ada/one.ipynb", bytes(4 << 20))))
    for magic, at in ((b"PK\3\4", 22), (b"PK\1\2", 24)):  # its claimed size
        struct.pack_into("<I", liar, liar.index(magic) + at, 5)
    many = packed(("bob/one.ipynb", b"1"), ("bob/two.ipynb", b"2"))
    entries = {"ada.zip": inner, "bob.zip": several, "carl.zip": deep, "dora.zip": nested, "eve.zip": many}
    entries["fay.zip"] = packed(("one.ipynb", b"1"))
    put(tmp_path, "all.zip", packed(*entries.items()))
    put(tmp_path, "liar.zip", bytes(liar))
    done = collect(room, "words", [tmp_path / "all.zip", tmp_path / "liar.zip"])
    why = {item.name: item.why for item in done.left}
    assert why["all.zip/ada.zip/one.ipynb"].startswith("it has 3 MB, and a notebook at most 2 MB")
    assert why["all.zip/bob.zip"].startswith("it unpacks to far more than a submission needs")
    assert why["all.zip/carl.zip/a.zip/b.zip"].startswith("it is in archives within archives")
    assert why["all.zip/dora.zip"].startswith("it unpacks to far more than a submission needs")
    assert "liar.zip/ada/one.ipynb" in why
    assert {"eve/words/one.ipynb", "eve/words/two.ipynb"} <= set(submitted(room))
    assert sum(map(len, submitted(room).values())) < 4 << 20


def test_too_many_entries(room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "MAX_ENTRIES", 3)
    put(tmp_path, "ada.zip", packed(*((f"{i}.ipynb", b"") for i in range(4))))
    assert left(room, tmp_path / "ada.zip")["ada.zip"].startswith("it holds 4 files, more than 3.")


def test_broken_archives_stop_nobody(room: Classroom, tmp_path: Path) -> None:
    whole = packed(("one.ipynb", notebook(room)))
    locked = bytearray(whole)
    for magic, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        locked[locked.index(magic) + at] |= 1  # encrypted
    odd = bytearray(whole)
    for magic, at in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        struct.pack_into("<H", odd, odd.index(magic) + at, 97)  # an unknown compression method
    damaged = bytearray(whole)
    damaged[60:200] = bytes(140)
    archives = {"ada": b"no zip", "bob": whole[:-30], "c": locked, "d": odd, "e": damaged, "f": whole}
    for student, content in archives.items():
        put(tmp_path / "down", f"{student}.zip", bytes(content))
    why = left(room, tmp_path / "down")
    assert set(why) == {"ada.zip", "bob.zip", "c.zip/one.ipynb", "d.zip/one.ipynb", "e.zip/one.ipynb"}
    assert all("Ask for it again" in line for line in why.values()) and set(submitted(room)) == {"f/words/one.ipynb"}


def test_bad_input_is_one_sentence(room: Classroom, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere does not exist: name the folder or the archive"):
        collect(room, "words", [tmp_path / "nowhere"])
    with pytest.raises(UsageError, match=r"There is no chapter 'word' in exercises/ \(there is: words\)"):
        collect(room, "word", [tmp_path])


def test_the_command(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path / "down", "ada/one.ipynb", notebook(room))
    put(tmp_path / "down", "carl/one.ipynb", notebook(room))
    monkeypatch.chdir(room.root)
    assert cli.main(["collect", "words", str(tmp_path / "down")]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "2 students: 2 notebooks new, 0 replaced by later ones, 0 there already."
    assert second.startswith("not in the gradebook: carl. If a name is wrong, rename its folder below submitted/")
    put(tmp_path / "down", "dora/two.txt", b"")
    assert cli.main(["collect", "words", str(tmp_path / "down")]) == 1


def test_of_whom_nobody_is_sure_is_told_whatever_was_handed_in(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "Mary-Ada Lovelace_1_assignsubmission_file_/answers.pdf", b"")
    put(tmp_path / "down", "Bob Müller_2_assignsubmission_file_/one.ipynb", notebook(room))
    put(tmp_path / "down", "grades.csv", b"")  # the system's own
    ((name, why),) = left(room, tmp_path / "down").items()
    assert name.startswith("Mary-Ada") and why.startswith("'Mary-Ada Lovelace' may be ada, or the name of somebody")


GRADESCOPE = """
submission_701:
  :submitters:
  - :name: Ada Lovelace
    :sid: '4711'
    :email: A.Byron@example.org
  :created_at: 2026-03-09 10:00:00.123456789 -07:00
  :results: {tests: [{name: one}]}
submission_702:
  :submitters:
  - :name: Somebody Else
    :sid: bob
    :email: bm@example.org
  - :name: Carl
    :sid: ''
    :email: carl@example.org
  :created_at: 2026-03-09 11:00:00 Z
"""


@pytest.mark.parametrize("top", ["", "assignment_9100_export/"])
def test_an_export_of_gradescope(room: Classroom, tmp_path: Path, top: str) -> None:
    names = (f"{top}submission_701/one.ipynb", f"{top}submission_702/work/one.ipynb")
    files = [(f"{top}submission_metadata.yml", GRADESCOPE.encode()), *((name, notebook(room)) for name in names)]
    done = collect(room, "words", [put(tmp_path, "export.zip", packed(*files))])
    assert not done.left and done.unknown == ["carl@example.org"]  # a group: each of its members
    assert set(submitted(room)) == {f"{who}/words/one.ipynb" for who in ("ada", "bob", "carl@example.org")}
    assert str(room.timestamp(room.root / "submitted" / "ada" / "words")) == "2026-03-09 17:00:00"
    assert str(room.timestamp(room.root / "submitted" / "bob" / "words")) == "2026-03-09 11:00:00"


def test_whose_a_folder_is_says_no_file_of_a_students(room: Classroom, tmp_path: Path) -> None:
    """Who hands in such a file names neither others nor a date."""
    forged = GRADESCOPE.replace("sid: bob", "sid: ada").replace("2026", "2025").encode()
    put(tmp_path / "down", "bob/submission_metadata.yml", forged)
    put(tmp_path / "down", "bob/submission_701/one.ipynb", notebook(room))
    put(tmp_path / "down", "ada/two.ipynb", notebook(room, "two"))
    collect(room, "words", [tmp_path / "down"])
    assert set(submitted(room)) == {"ada/words/two.ipynb", "bob/words/one.ipynb"}
    assert room.timestamp(room.root / "submitted" / "bob" / "words") is None


@pytest.mark.parametrize("text", [b"submission_701: [", b"- 1", b"submission_701: 3", b"", b"\xff\xfe", b"a: &a [*a]"])
def test_an_export_that_does_not_say_whose_it_is(room: Classroom, tmp_path: Path, text: bytes) -> None:
    put(tmp_path / "down", "submission_metadata.yml", text)
    put(tmp_path / "down", "submission_701/one.ipynb", notebook(room))
    put(tmp_path / "down", "submission_702/one.ipynb", notebook(room, text="other"))
    reported = [item.why for item in collect(room, "words", [tmp_path / "down"]).left]
    assert "it does not say whose the folders are. Export the submissions again." in reported
