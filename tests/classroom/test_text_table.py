"""Answers in words as a table: one line for each different text, filled in by a person and read back."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import inputs
import pytest
from nbgrader.api import Student
from requested_texts import REQUESTED, TASK, WHY, scores, written
from small_course import Course

from autograder import cli
from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.commands.progress import summary_lines
from autograder.classroom.grade import grade
from autograder.classroom.results.feedback import write_feedback
from autograder.classroom.results.text_table import give_points, write_texts
from autograder.cuda.errors import UsageError

pytestmark = [inputs.grading, pytest.mark.starts_early]

SAME, OTHER = "Because\nof the banks.", "=1+1; 'quoted'"


@pytest.fixture(scope="module")
def graded(requested: Course, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ada and Bob wrote the same, but for a space; Cleo wrote something else, and Dan nothing."""
    room = open_classroom(shutil.copytree(requested.root, tmp_path_factory.mktemp("table") / "course"))
    with room.gradebook() as gradebook:
        gradebook.db.add(Student(id="ada", first_name="Ada", last_name="Müller"))
        gradebook.db.commit()
    course = Course(room.root)
    for student, text in (("ada", SAME), ("bob", f"{SAME}  "), ("cleo", OTHER)):
        course.submit(student, "words", "one", written(course, text, "A drawing."))
    course.submit("dan", "words", "one", course.released("words", "one"))
    grade(room, "words")
    return room.root


@pytest.fixture
def room(graded: Path, tmp_path: Path) -> Classroom:
    return open_classroom(shutil.copytree(graded, tmp_path / "course"))


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines(keepends=True)))


def filled(room: Classroom, **points: str) -> Path:
    """The table with `points` for the text of Cleo (`other`), and of the others (`same`)."""
    path = room.root / "texts.csv"
    write_texts(room, "words", path)
    rows = rows_of(path)
    for row in rows:
        if row["cell"] == WHY:
            row["points"] = points.get("other" if row["students"] == "cleo" else "same", "")
            row["comment"] = points.get("comment", "")
    save(path, rows)
    return path


def save(path: Path, rows: list[dict[str, str]], encoding: str = "utf-8", delimiter: str = ",") -> None:
    with path.open("w", encoding=encoding, newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        table.writeheader()
        table.writerows(rows)


def test_no_terminal_acts_on_a_students_text(room: Classroom, tmp_path: Path) -> None:
    course = Course(room.root)
    course.submit("cleo", "words", "one", written(course, "Because\x1b[2J\nof \x9bm them.\u202e", "\x1b]0;x\x07"))
    grade(room, "words")
    write_texts(room, "words", tmp_path / "texts.csv")
    text = (tmp_path / "texts.csv").read_text(encoding="utf-8-sig")
    assert all(sign.isprintable() or sign in "\n\t" for sign in text)
    rows = rows_of(tmp_path / "texts.csv")
    for row in rows:
        row["points"] = "1" if row["text"].startswith("Because [2J\nof  m") else ""
    save(tmp_path / "texts.csv", rows)
    assert give_points(room, "words", tmp_path / "texts.csv").answers == 1  # what is shown is not what identifies it


def test_each_different_text_is_one_line_with_its_rubric(room: Classroom, tmp_path: Path) -> None:
    assert write_texts(room, "words", tmp_path / "texts.csv") == (7, 4)
    same, other, drawn, none = rows_of(tmp_path / "texts.csv")
    assert (same["exercise"], same["cell"], same["max_points"]) == ("one", WHY, "3")
    assert (same["text"], same["number"], same["students"]) == (SAME, "2", "Ada Müller (ada); bob")
    assert (same["points"], same["comment"], same["rubric"]) == ("", "", "Because of the banks.")
    assert (same["question"], other["question"]) == (REQUESTED, "")  # once, as the rubric
    assert drawn["question"] == "Draw the banks below."  # without the marking scheme
    assert other["text"] == "'=1+1; 'quoted'" and other["students"] == "cleo"  # no formula
    assert (drawn["cell"], drawn["number"], drawn["max_points"]) == (TASK, "3", "2")
    assert drawn["rubric"] == "Draw the banks below.\n2 for a drawing"
    assert (none["text"], none["students"]) == ("(nothing)", "dan")  # nbgrader leaves a task to a person
    with pytest.raises(UsageError, match="exists, and may hold points"):
        write_texts(room, "words", tmp_path / "texts.csv")


def test_an_untouched_text_needs_nobody(room: Classroom, tmp_path: Path) -> None:
    write_texts(room, "words", tmp_path / "texts.csv")
    assert not any("dan" in row["students"] for row in rows_of(tmp_path / "texts.csv") if row["cell"] == WHY)


@pytest.mark.parametrize(("encoding", "delimiter"), [("utf-8-sig", ","), ("cp1252", ";"), ("utf-16", "\t")])
def test_points_are_given_to_everybody_with_that_text_and_stay(room: Classroom, encoding: str, delimiter: str) -> None:
    """As Excel and its like save it."""
    path = filled(room, same="2,5", comment="Schön.")
    save(path, [row for row in rows_of(path) if row["points"]], encoding, delimiter)
    done = give_points(room, "words", path)
    assert (done.answers, done.empty, done.left) == (2, 0, [])
    assert scores(room) == {"ada": (6.5, 1), "bob": (6.5, 1), "cleo": (4, 2), "dan": (0, 1)}
    assert grade(room, "words", force=True).waiting == 5
    assert scores(room)["ada"] == (6.5, 1)
    page = write_feedback(room, "words", ["ada"])[0].read_text()
    assert "2.5 of 3" in page and "Your instructor says:</strong> Schön." in page
    assert give_points(room, "words", path).answers == 2  # again, which changes nothing
    assert scores(room)["bob"] == (6.5, 1)


def test_a_students_page_says_whether_its_points_are_final(room: Classroom) -> None:
    reported = "?: not final, since your instructor still has to give points, or a file of yours could not be read."
    page = write_feedback(room, "words", ["ada"])[0].read_text()
    assert "<strong>4? of 9 points.</strong>" in page and "4? of 9</td>" in page and reported in page
    path = filled(room)
    save(path, [{**row, "points": "1"} for row in rows_of(path)])
    give_points(room, "words", path)
    page = write_feedback(room, "words", ["ada"])[0].read_text()
    assert "<strong>6 of 9 points.</strong>" in page and "not final" not in page


def test_a_table_without_questions_is_taken(room: Classroom) -> None:
    """Whoever gives points may have deleted the column, or changed it."""
    path = filled(room, same="2")
    rows = rows_of(path)
    save(path, [{name: field for name, field in row.items() if name != "question"} for row in rows])
    assert give_points(room, "words", path).answers == 2
    save(path, [{**row, "question": "What?"} for row in rows])
    assert give_points(room, "words", path).left == []


def test_what_cannot_be_taken_is_named(room: Classroom) -> None:
    path = filled(room, same="2", other="4")
    course = Course(room.root)
    course.submit("bob", "words", "one", written(course, "Something new.", "A drawing."))
    rows = rows_of(path)
    rows += [{**rows[2], "points": "", "comment": "Nice."}, {**rows[2], "cell": "else", "points": "1"}]
    rows += [{**rows[2], "points": "one"}, {**rows[2], "points": "1", "students": "eve; cleo"}]
    save(path, rows)
    grade(room, "words")
    done = give_points(room, "words", path)
    assert (done.answers, done.empty) == (2, 2)
    assert done.left == [
        "line 2 (one): the text has changed since: bob. Write the table again.",
        "line 3 (one): its points, 4, are not a number from 0 to 3.",
        "line 6 (one): it has a comment, but no points. Give points, too.",
        "line 7 (one): nobody was graded for the text 'else'.",
        "line 8 (one): its points, one, are not a number from 0 to 2.",
        "line 9 (one): not among those who were graded: eve.",
    ]
    assert scores(room) == {"ada": (6, 1), "bob": (4, 2), "cleo": (5, 1), "dan": (0, 1)}


def test_the_command_says_what_was_done(
    room: Classroom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(room.root)
    assert cli.main(["texts", "words", "--csv", "texts.csv"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "texts.csv holds 4 distinct texts from 7 answers.",
        "Fill in points and comments, then: autograder texts words --from texts.csv",
    ]
    rows = rows_of(Path("texts.csv"))
    save(Path("texts.csv"), [{**row, "points": "9" if row["text"] == SAME else "2"} for row in rows])
    assert cli.main(["texts", "words", "--from", "texts.csv"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "5 answers got points.",
        "not taken: line 2 (one): its points, 9, are not a number from 0 to 3.",
    ]
    save(Path("texts.csv"), [{**row, "points": "1" if row["text"] == SAME else ""} for row in rows])
    assert cli.main(["texts", "words", "--from", "texts.csv"]) == 0
    assert capsys.readouterr().out == "2 answers got points. 3 lines without points.\n"
    assert cli.main(["texts", "words", "--csv", "more.csv"]) == 0
    assert capsys.readouterr().out == "No answer in words of words waits for points.\n"
    assert not Path("more.csv").exists()
    Path("more.csv").write_text("id,points\n")
    assert cli.main(["texts", "words", "--from", "more.csv"]) == 2
    assert "more.csv is not a table of `autograder texts`: it has no column 'exercise'." in capsys.readouterr().err


def test_grading_says_how_many_wait_and_where_to_give_points(room: Classroom) -> None:
    line = "7 answers in words wait for points: `autograder texts words --csv texts.csv` makes a table to fill in."
    assert line in summary_lines(grade(room, "words"))
    save(room.root / "texts.csv", [{**row, "points": "1"} for row in rows_of(filled(room))])
    give_points(room, "words", room.root / "texts.csv")
    assert not any("wait" in line for line in summary_lines(grade(room, "words")))
