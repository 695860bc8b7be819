"""What an LMS does with the table that we write: the importers of Moodle and Canvas, by the rules of their sources,
over a class in which every student is odd in another way. Nobody may get another's score, whatever is mapped to what.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import inputs
import pytest
from nbgrader.api import Student
from small_course import Course

from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.lms import systems, tables
from autograder.classroom.results.export import Chapter, Exported, grades_table, not_exported

pytestmark = inputs.grading

#: id, first and last name, e-mail, number in the LMS; of the last ones only a folder is known.
PEOPLE = [
    ("ada", "Ada", "Lovelace", "ada@x.org", "101"),
    ("bob", "Bob", "Müller", "", "102"),
    ("carl", "Carl", "Gauß", "carl@x.org", ""),
    ("dora", "=Dora", 'Quote"d, Name', "dora@x.org", "104"),
    ("emmy", "Wei", "Zhang", "emmy@x.org", "105"),
    ("gone", "Wei", "Zhang", "gone@x.org", "106"),
    ("twin", "Tom", "Twin", "twins@x.org", "107"),
    ("twin2", "Tim", "Twin", "Twins@x.org", "107"),
    ("0", "Zero", "Zoe", "zero@x.org", "1x8"),
    ("formula", "Fred", "Form", "+fred@x.org", "109"),
    ("none", "Nora", "Nothing", "nora@x.org", "110"),
    ("me", "", "", "", ""),
    ("anon_k7Qx2", "", "", "", ""),
]
SCORES = {who: float(number) for number, (who, *_) in enumerate(PEOPLE, 10) if who != "none"}
#: The users of the whole Moodle: "gone" has left the course, and her account is still there.
MOODLE = [who for who in PEOPLE if who[1]]


class ImportEndedError(Exception):
    """The system imports nothing."""


@pytest.fixture
def room(tmp_path: Path) -> Classroom:
    room = open_classroom(Course(tmp_path).root)
    with room.gradebook() as gradebook:
        for who, first, last, mail, number in PEOPLE:
            gradebook.db.add(Student(id=who, first_name=first, last_name=last, email=mail, lms_user_id=number))
        gradebook.db.commit()
    return room


def export(room: Classroom, system: str, scores: Mapping[str, float] = SCORES) -> Exported:
    return grades_table(room, tables()[system], [Chapter("words", 40.0, scores, "words")])


def import_into_moodle(
    text: str, users: Sequence[tuple[str, ...]], key: str, *, new_item: bool, separator: str = "."
) -> dict[str, float | None]:
    """By user, the grade that Moodle stores: None is an empty one."""
    header, *lines = csv.reader(io.StringIO(text))
    stored: dict[str, float | None] = {}
    student = ""  # which no line resets
    for line in lines:
        value = line[header.index("words")].strip()
        if (field := line[header.index(key)].strip()) not in ("", "0"):
            place = {"ID number": 0, "Email address": 3}[key]
            found = [who[0] for who in users if who[place].casefold() == field.casefold()]
            if not found:
                raise ImportEndedError(f"no user {field}")
            student = found[0]
        if not student:
            raise ImportEndedError("no user mapped")
        if new_item:
            stored[student] = None if value == "-" else float(value or 0)
        elif value in ("", "-"):
            stored[student] = None
        else:
            try:
                stored[student] = float(value.replace(" ", "").replace(separator, "."))
            except ValueError:
                raise ImportEndedError(f"no grade {value}") from None
        if (stored[student] or 0) > 100:
            raise ImportEndedError("grade too large")
    return stored


def import_into_canvas(text: str, course: Sequence[tuple[str, ...]]) -> dict[str, str]:
    """By student, the grade that Canvas shows for confirmation; "new" is whom it asks about."""
    header, points, *lines = csv.reader(io.StringIO(text))
    assert "Student" in header[0] and "ID" in header[1] and header[4] == "Section" and "Points Possible" in points[0]
    found = {}
    for line in lines:
        digits = re.match(r"\d+", line[1])
        who = [item[0] for item in course if digits and item[4] == digits[0]]
        who = who or [item[0] for item in course if item[0] in line[2:4]]  # as if ids were those of the university
        names = [(f"{item[1]} {item[2]}", f"{item[2]}, {item[1]}") for item in course]
        who = who or [item[0] for item, both in zip(course, names, strict=True) if line[0] in both]
        found[who[0] if who else f"new {line[0]}"] = line[5]
    return found


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("separator", [".", ","])
@pytest.mark.parametrize("new_item", [True, False])
@pytest.mark.parametrize("key", ["ID number", "Email address"])
def test_moodle_gives_nobody_the_score_of_another(room: Classroom, key: str, new_item: bool, separator: str) -> None:
    stored = import_into_moodle(export(room, "moodle").text, MOODLE, key, new_item=new_item, separator=separator)
    assert stored == {who: SCORES.get(who) for who in ("ada", "carl", "dora", "emmy", "gone", "none")}


def test_moodle_ends_at_whom_it_does_not_know(room: Classroom) -> None:
    here = [who for who in MOODLE if who[0] != "gone"]
    with pytest.raises(ImportEndedError, match="no user gone"):
        import_into_moodle(export(room, "moodle").text, here, "ID number", new_item=False)


def test_the_rules_of_moodle_do_harm_to_a_table_without_care() -> None:
    """What is tested above can fail."""
    careless = "ID number,Email address,words\nada,ada@x.org,1\nbob,,2\nnone,nora@x.org,\nme,,3\n"
    assert import_into_moodle(careless, MOODLE, "Email address", new_item=True) == {"ada": 2, "none": 3}
    with pytest.raises(ImportEndedError, match="no user me"):
        import_into_moodle(careless, MOODLE, "ID number", new_item=True)


def test_a_key_of_few_is_nobodys(room: Classroom) -> None:
    """Nobody can import by it, and all can by the other."""
    with room.gradebook() as gradebook:
        for student in gradebook.students:
            student.email = "ada@x.org" if student.id == "ada" else ""
        gradebook.db.commit()
    text = export(room, "moodle").text
    assert len(import_into_moodle(text, MOODLE, "ID number", new_item=False)) == 10
    with pytest.raises(ImportEndedError, match="no user mapped"):
        import_into_moodle(text, MOODLE, "Email address", new_item=False)


def test_canvas_gives_nobody_the_score_of_another(room: Classroom) -> None:
    text, course = export(room, "canvas").text, [item for item in MOODLE if item[0] != "gone"]
    assert import_into_canvas(text, course) == {
        **{who: f"{SCORES[who]:g}" for who in ("ada", "bob", "dora", "emmy", "formula")},
        "new Zhang, Wei (gone)": f"{SCORES['gone']:g}",  # not the other Wei Zhang
        "none": "",
    }


def test_blackboard_gets_a_username_in_every_line(room: Classroom) -> None:
    names = [line["Username"] for line in csv.DictReader(io.StringIO(export(room, "blackboard").text))]
    assert sorted(names) == sorted(who[0] for who in MOODLE)


def test_who_is_not_in_the_file_is_named_in_one_sentence(room: Classroom) -> None:
    assert list(not_exported(export(room, "moodle"), systems()["moodle"])) == [
        "Not in the file, because Moodle could take them for somebody else: anon_k7Qx2, me: not on your list of "
        "students; Zero Zoe (0): no usable 'ID number'; Fred Form (formula), Bob Müller (bob): no usable 'Email "
        "address'; Tim Twin (twin2), Tom Twin (twin): another student has the same 'Email address'. Complete "
        "your list and export again, or enter their scores by hand."
    ]
    assert len(export(room, "moodle").chapters[0].scores) == 5  # of those in the file
    assert "no usable 'ID'" in next(iter(not_exported(export(room, "canvas"), systems()["canvas"])))


def test_a_score_that_moodle_would_not_take_is_told(room: Classroom) -> None:
    above = list(not_exported(export(room, "moodle", {"ada": 41.0}), systems()["moodle"]))[1:]
    assert above == ["words: 41 points are more than its 40, which Moodle cuts them to."]
    (far,) = list(not_exported(export(room, "moodle", {"ada": 101.0}), systems()["moodle"]))[1:]
    assert far.startswith("words: 101 points are more than Moodle imports, 100, unless")
    assert len(list(not_exported(export(room, "canvas", {"ada": 101.0}), systems()["canvas"]))) == 1


@pytest.mark.parametrize("system", ["moodle", "canvas", "blackboard"])
def test_no_field_is_a_formula_or_moves_a_terminal(room: Classroom, system: str) -> None:
    with room.gradebook() as gradebook:
        gradebook.find_student("ada").last_name = "Love\x1b]0;x\x07lace\x9b2J"
        gradebook.db.commit()
    text = export(room, system).text
    assert "\x1b" not in text and "\x9b" not in text and "\x07" not in text
    for field in (field for line in csv.reader(io.StringIO(text)) for field in line):
        assert field == "-" or not field.startswith(("=", "+", "@", "-")), field
