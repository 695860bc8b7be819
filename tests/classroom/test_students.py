"""The list of students, from the tables that systems export."""

from __future__ import annotations

import shutil
from pathlib import Path

import inputs
import pytest
from small_course import Course

from autograder import cli
from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.lms import tables
from autograder.classroom.results.export import Chapter, grades_table
from autograder.classroom.students import lines_of, take_students
from autograder.cuda.errors import UsageError

pytestmark = inputs.grading

#: id, first and last name, e-mail address, and the number of an account.
Known = tuple[str, str, str, str, str]


@pytest.fixture
def room(fresh: Course, tmp_path: Path) -> Classroom:
    return open_classroom(shutil.copytree(fresh.root, tmp_path / "course"))


def known(room: Classroom) -> list[Known]:
    with room.gradebook() as gradebook:
        return [
            (s.id, s.first_name or "", s.last_name or "", s.email or "", s.lms_user_id or "")
            for s in sorted(gradebook.students, key=lambda s: s.id)
        ]


def take(room: Classroom, text: str, encoding: str = "utf-8") -> list[str]:
    path = room.root / "table.csv"
    path.write_bytes(text.encode(encoding))
    return [line.removeprefix(f"{path}: ") for line in lines_of(take_students(room, path), path)]


#: Tables as systems write them, how they are encoded, and what the gradebook then has of Ada and Bob.
TABLES: dict[str, tuple[str, str, list[Known]]] = {
    "Moodle, participants": (
        "First name,Last name,Username,ID number,Email address,Groups\r\n"
        "Ada,Lovelace,al1,20001,ada@x.org,A\r\nBob,Müller,bm2,20002,bob@x.org,B\r\n",
        "utf-8-sig",
        [("20001", "Ada", "Lovelace", "ada@x.org", ""), ("20002", "Bob", "Müller", "bob@x.org", "")],
    ),
    "Moodle, without ID numbers, with roles": (
        '"First name";Surname;"ID number";"Email address";Roles\n'
        "Ada;Lovelace;;ada@x.org;Student\nBob;Müller;;bob@x.org;Student\nGrace;Hopper;;grace@x.org;Teacher\n",
        "utf-16",
        [("ada@x.org", "Ada", "Lovelace", "ada@x.org", ""), ("bob@x.org", "Bob", "Müller", "bob@x.org", "")],
    ),
    "Canvas, grades": (
        "Student,ID,SIS User ID,SIS Login ID,Section,Words (4711),Final Score\n"
        ",,,,,Manual Posting,\n    Points Possible,,,,,9,(read only)\n"
        '"Lovelace, Ada",101,s1,ada,"A, B",,\n"Müller, Bob",102,s2,bob,A,,\n"Student, Test",103,,4711abc,A,,\n',
        "utf-8-sig",
        [("s1", "Ada", "Lovelace", "", "101"), ("s2", "Bob", "Müller", "", "102")],
    ),
    "Canvas, class roster": (
        "Student Name,Student ID,Student SIS ID,Email,Section Name\n"
        "Ada Lovelace,101,s1,ada@x.org,A\nAda Lovelace,101,s1,ada@x.org,B\nBob Müller,102,s2,bob@x.org,A\n",
        "utf-8",
        [("s1", "Ada", "Lovelace", "ada@x.org", "101"), ("s2", "Bob", "Müller", "bob@x.org", "102")],
    ),
    "Blackboard": (
        '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Last Access"\t"Availability"\n'
        '"Lovelace"\t"Ada"\t"ada"\t"20001"\t""\t"Yes"\n"Müller"\t"Bob"\t"bob"\t"20002"\t""\t"Yes"\n',
        "utf-16",
        [("ada", "Ada", "Lovelace", "", ""), ("bob", "Bob", "Müller", "", "")],
    ),
    "Blackboard, without a mark": (
        '"Last Name"\t"First Name"\t"Username"\n"Lovelace"\t"Ada"\t"ada"\n"Müller"\t"Bob"\t"bob"\n',
        "utf-16-le",
        [("ada", "Ada", "Lovelace", "", ""), ("bob", "Bob", "Müller", "", "")],
    ),
    "nbgrader": (
        "id,first_name,last_name,email,lms_user_id\nada,Ada,Lovelace,ada@x.org,101\nbob,Bob,Müller,,102\n",
        "utf-8",
        [("ada", "Ada", "Lovelace", "ada@x.org", "101"), ("bob", "Bob", "Müller", "", "102")],
    ),
}


@pytest.mark.parametrize("system", TABLES)
def test_the_table_of_a_system_is_taken_as_it_is(room: Classroom, system: str) -> None:
    text, encoding, wanted = TABLES[system]
    message = take(room, text, encoding)
    assert known(room) == wanted and message[0].startswith("2 students new, 0 changed, 0 unchanged.")
    assert message[1:] == (["no students, by their role: Grace Hopper (Teacher)."] if "roles" in system else [])
    assert take(room, text, encoding)[0].startswith("0 students new, 0 changed, 2 unchanged.")


@pytest.mark.parametrize("system", ["moodle", "blackboard"])  # Canvas's has no id but the number of an account
def test_what_we_write_for_a_system_is_known_here(room: Classroom, system: str) -> None:
    take(room, TABLES["nbgrader"][0])
    written = grades_table(room, tables()[system], [Chapter("words", 9, {}, "words")]).text
    assert take(room, written)[0].startswith("0 students new, 0 changed, 2 unchanged.")


def test_nothing_is_lost_by_another_table(room: Classroom) -> None:
    take(room, TABLES["nbgrader"][0])
    message = take(room, "id,last_name,email\nbob,Moller,\ncarl,Gauß,c@x.org\n")
    assert message == ["1 student new, 1 changed, 0 unchanged. Their ids are of the column 'id'."]
    assert known(room) == [
        ("ada", "Ada", "Lovelace", "ada@x.org", "101"),
        ("bob", "Bob", "Moller", "", "102"),
        ("carl", "", "Gauß", "c@x.org", ""),
    ]


def test_what_cannot_be_used_is_named(room: Classroom) -> None:
    text = "ID number,First name,Last name,Email address\n1,Ada,L,ada@x.org\n,Bob,M,\n3,Cy,N,\n3,Di,O,\n../x,Ed,P,\n"
    message = take(room, text)
    assert known(room) == [("1", "Ada", "L", "ada@x.org", "")]
    assert message[1:] == [
        "no ID number: line 3 (Bob M). Write it there, and import again.",
        "cannot name a folder: the ID number of line 6 (Ed P). Use another one.",
        "one ID number for several people: line 4 (Cy N), line 5 (Di O). Neither was taken: fix that there, and "
        "import again.",
    ]
    message = take(room, "Username,Email address\nal1,ada@x.org\nbm2,bob@x.org\n")
    assert [row[0] for row in known(room)] == ["1", "bm2"]  # ada is there once
    assert message[1].startswith(
        "in the gradebook under another id, by the e-mail address: ada@x.org is 1 there and al1 "
    )


def test_the_command(room: Classroom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(room.root)
    for name, text in (("a.csv", "id,email\nada,a@x.org\n"), ("b.csv", "id,email\nbob,\ncarl,\n,d@x.org\n")):
        Path(name).write_text(text)
    assert cli.main(["students", "a.csv", "b.csv"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "a.csv: 1 student new, 0 changed, 0 unchanged. Their ids are of the column 'id'.",
        "b.csv: 2 students new, 0 changed, 0 unchanged. Their ids are of the column 'id'.",
        "no id: line 4 (d@x.org). Write it there, and import again.",
    ]
    assert cli.main(["students", "a.csv"]) == 0


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is empty; export it again"),
        (b"id,email\n", "names nobody: export it again"),
        (
            b"First name,Groups\nAda,A\n",
            r"has no column of ids \(it has: First name, Groups\). It needs one such as id,",
        ),
        (b"PK\x03\x04", "it is a spreadsheet or an archive; save or export it as CSV"),
        ("id,last_name\n1,Müller\n".encode("latin-1"), "it is not in UTF-8; in a spreadsheet, save it as 'CSV UTF-8'"),
    ],
)
def test_bad_input_is_one_sentence(room: Classroom, content: bytes, why: str) -> None:
    path = room.root / "table.csv"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=why):
        take_students(room, path)
    with pytest.raises(UsageError, match=r"no\.csv cannot be read \(No such file"):
        take_students(room, path.with_name("no.csv"))
