"""Whom the report on a class names, and how: by name, first those for whom there is something to do."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import inputs
import pytest
from nbgrader.api import Student
from rich.console import Console
from small_course import Course, answer, source_notebook, submit

from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.commands.progress import summary_lines
from autograder.classroom.grade import Summary, grade
from autograder.classroom.results.class_data import Ranked
from autograder.classroom.results.class_grid import Cell, Line
from autograder.classroom.results.class_report import ClassReport, read_report
from autograder.classroom.results.class_terminal import first_lines, report_lines, score_table
from autograder.classroom.results.copied import Copied
from autograder.classroom.results.feedback import write_feedback
from autograder.classroom.results.pages import write_class_page
from autograder.classroom.results.similarity import Alike

pytestmark = [inputs.grading, pytest.mark.starts_early]

NAMES = {"ada": "Ada Lovelace", "bob": "Bob Müller", "cleo": "Cleo Ruiz", "dan": "Dan Ek", "eve": "Eve Ito"}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Classroom, Summary]:
    """Ada has all right, below `%%time`. Bob handed in one notebook. Cleo's answers are wrong; Dan's are empty. Of
    Eve's, one is a web page. Finn, who has all right, is not in the gradebook."""
    course = Course(tmp_path_factory.mktemp("attention"))
    for name in ("one", "two"):
        course.add("words", name, source_notebook())
    course.nbgrader(("generate_assignment", "words"))
    room = open_classroom(course.root)
    with room.gradebook() as gradebook:
        for student, name in NAMES.items():
            first, last = name.split()
            gradebook.db.add(Student(id=student, first_name=first, last_name=last))
        gradebook.db.commit()
    for student in (*NAMES, "finn"):
        submit(course.root, student, "wrong" if student == "cleo" else "right")
    for name in ("one", "two"):
        timed = course.released("words", name)
        answer(timed, "first", "right")
        answer(timed, "second", "right second")
        for cell in timed["cells"]:
            if "".join(cell["source"]).startswith("%%cuda first"):
                cell["source"] = f"%%time\n{cell['source']}"
        course.submit("ada", "words", name, timed)
        wrong = course.released("words", name)
        answer(wrong, "first", "no")
        answer(wrong, "second", "no")
        course.submit("cleo", "words", name, wrong)
        course.submit("dan", "words", name, course.released("words", name))
    Path(course.root, "submitted", "bob", "words", "two.ipynb").unlink()
    course.submit("eve", "words", "one", b"\n<!DOCTYPE HTML>\n<html>see attached</html>")
    summary = grade(room, "words")
    return room, summary


@pytest.fixture(scope="module")
def report(graded: tuple[Classroom, Summary]) -> ClassReport:
    return read_report(graded[0], "words")


@pytest.fixture(scope="module")
def page(report: ClassReport, tmp_path_factory: pytest.TempPathFactory) -> str:
    return shown(report, tmp_path_factory.mktemp("page"))


def shown(report: ClassReport, folder: Path) -> str:
    write_class_page(folder / "class.html", "words", report)
    return unescape((folder / "class.html").read_text())


def lines_of(report: ClassReport) -> list[str]:
    return list(report_lines(report))


def test_students_are_called_by_name(report: ClassReport, graded: tuple[Classroom, Summary], page: str) -> None:
    console = Console(width=100)
    with console.capture() as captured:
        console.print(score_table(report.exercises, report.lines, 100))
    assert re.search(r"Ada Lovelace +ada ", captured.get()) and re.search(r"finn +finn ", captured.get())
    assert "not readable: Eve Ito (eve), one: " in "\n".join(lines_of(report))
    assert "not readable: Eve Ito (eve), one: " in "\n".join(summary_lines(graded[1]))
    assert '<th scope="row">Eve Ito (eve)</th><td>one</td><td>not readable</td>' in page
    assert re.search(r"<summary>Cleo Ruiz \(cleo\)\s*</summary>", page)
    assert '<tr><th scope="row">Ada Lovelace (ada)</th><td>one</td><td class="number">' in page  # slowest


def test_an_example_and_answers_that_are_alike_are_of_somebody_with_a_name(report: ClassReport, tmp_path: Path) -> None:
    found = Ranked("one", "first holds right", "failed", 2, 6, ("cleo", "finn"), "cleo", "Line 3 is wrong.")
    alike = Alike("one", "%%cuda first", ("cleo", "finn"), 0.9, ("a", "b"))
    page = shown(replace(report, findings=(found,), alike=(alike,)), tmp_path)
    assert '<pre class="example">Cleo Ruiz (cleo):\nLine 3 is wrong.</pre>' in page
    assert "<p>Cleo Ruiz, finn</p>" in page
    assert "%%cuda first: Cleo Ruiz (cleo), finn (90 %)" in page and "<h3>Cleo Ruiz (cleo)</h3>" in page


def test_students_who_share_a_name_have_their_ids_and_a_long_list_ends(report: ClassReport) -> None:
    names = {"a": "Kim Lee", "b": "Kim Lee", "c": "Ada Li", "d": ""} | {f"x{n}": f"Student {n}" for n in range(40)}
    called = replace(report, names=names)
    assert called.some_of(["a", "b", "c", "d", "new"]) == "Kim Lee (a), Kim Lee (b), Ada Li, d, new"
    assert called.some_of([f"x{n}" for n in range(40)]).endswith(", Student 29 and 10 more")


def test_who_lacks_a_notebook_is_to_be_looked_at(report: ClassReport, graded: tuple[Classroom, Summary]) -> None:
    assert "missing: Bob Müller (bob), two: Handed in: 1 of 2 notebooks." in lines_of(report)
    assert "1 notebook not handed in: Bob Müller (bob): two." in list(summary_lines(graded[1]))


def test_who_handed_in_all_without_a_point_is_to_be_looked_at(report: ClassReport) -> None:
    message = [(item.student, item.why) for item in report.attention if item.what == "no points"]
    assert message == [
        ("cleo", "Everything was handed in, but nothing that was written earned a point."),
        ("dan", "Everything was handed in, but all was left empty."),
    ]


def test_what_is_settled_stands_apart(report: ClassReport, page: str) -> None:
    assert {(item.student, item.what) for item in report.settled} == {("ada", "recovered")}
    assert not any(item.student == "ada" for item in report.attention)
    first, fold = page.split("<details><summary>Nothing to do: odd, and graded all the same (2)</summary>")
    assert "Ada Lovelace" not in first and "were left out. Nothing else to do." in fold.split("</details>")[0]
    lines = lines_of(report)
    assert lines.index("missing: Bob Müller (bob), two: Handed in: 1 of 2 notebooks.") < min(
        number for number, line in enumerate(lines) if line.startswith("recovered: Ada")
    )


def test_an_empty_answer_and_the_most_points_are_shown(page: str) -> None:
    head, rest = page.split('<table class="sortable grid">')[1].split("</thead>", 1)
    assert head.count("/\xa04<") == 2 and "Total /\xa08<" in head
    rows = {row.split("</td>")[0][-3:]: row for row in rest.split("</tbody>")[0].split("<tr>")}
    numbers = {who: re.findall(r"<td[^>]*>([^<]*)</td>", row)[1:4] for who, row in rows.items()}
    assert numbers["dan"] == ["0∅", "0∅", "0"] and numbers["leo"] == ["0", "0", "0"]
    assert numbers["eve"] == ["0?*", "4", "4?"] and numbers["bob"] == ["4", "\u2013", "4"]
    assert "∅: handed in, but empty." in page


def test_a_teacher_and_a_student_read_what_they_can_do(report: ClassReport, graded: tuple[Classroom, Summary]) -> None:
    why = "one.ipynb could not be read: it is a web page, not a notebook. Nothing in it was graded."
    assert f"not readable: Eve Ito (eve), one: {why} Ask for it again." in lines_of(report)
    page = unescape(write_feedback(graded[0], "words", ["eve"])[0].read_text())
    assert f"{why} Save it again in Jupyter or Colab and hand it in again." in page


def test_a_page_says_of_a_lost_file_only_that(graded: tuple[Classroom, Summary]) -> None:
    for student, name in (("eve", "Eve Ito (eve)"), ("bob", "Bob Müller (bob)")):
        page = write_feedback(graded[0], "words", [student])[0].read_text()
        assert f"<h1>words: feedback for {name}</h1>" in page
        assert ("<strong>4? of 8 points.</strong>" in page) == (student == "eve")  # Bob handed in one notebook
        sections = re.findall(r"<section.*?</section>", page, re.S)
        (lost,) = (part for part in sections if "not readable." in part or "missing." in part)
        assert "<table" not in lost and "No answer" not in lost and "judged" not in lost
        (read,) = (part for part in sections if part != lost)
        assert "<h3>Points</h3>" in read


def test_copies_of_the_courses_files_come_first(report: ClassReport, tmp_path: Path) -> None:
    entry = Copied("ada", ("%%cuda first", "%%cuda second"), "is the solution word for word")
    page = shown(replace(report, copied=(entry,)), tmp_path)
    assert page.index("Copies of the course's own files</h2>") < page.index("Answers that are alike</h2>")
    assert '>Ada Lovelace (ada)</th><td class="number">2</td>' in page
    assert f"<td>%%cuda first, %%cuda second</td><td>{entry.why}</td>" in page
    assert "Copies of" not in shown(replace(report, copied=()), tmp_path)


def test_copies_are_told_in_the_terminal_with_where_to_look(report: ClassReport) -> None:
    entry = Copied("ada", ("%%cuda first",), "is the solution word for word")
    alike = Alike("one", "%%cuda first", ("cleo", "finn"), 0.9, ("a", "b"))
    where = "`autograder report words --html FILE` shows them side by side."
    for found, reported in (
        (replace(report, copied=(entry,)), "1 student with copies of the course's own files"),
        (replace(report, alike=(alike, alike)), "2 groups of answers that are alike"),
    ):
        assert f"perhaps copied: {reported}. {where}" in lines_of(found)
    both = lines_of(replace(report, copied=(entry,), alike=(alike,)))
    assert any("course's own files, and 1 group of answers that are alike. " in line for line in both)
    assert not any(line.startswith("perhaps copied") for line in lines_of(replace(report, copied=(), alike=())))


def test_what_the_class_got_wrong_comes_last_and_says_what_it_is(report: ClassReport) -> None:
    assert lines_of(report)[-1] == "wrong, 1 of 4: second holds second: failed"


def test_totals_are_final_once_nothing_waits() -> None:
    def total(*cells: Cell, ungraded: bool = False) -> str:
        return Line("ada", "", cells, "", ungraded).total_text

    assert total(Cell(4), Cell(None)) == "4" and total(Cell(4), Cell(4, by_hand=1)) == "8?"
    assert Cell(None).text == "\u2013" and Cell(None, by_hand=1).text == "\u2013?"
    assert total(Cell(4), Cell(0, ungraded=True)) == "4?" and total(Cell(4), ungraded=True) == "4?"


def test_a_mistake_of_the_class_comes_first(report: ClassReport, tmp_path: Path) -> None:
    stub = Ranked("one", "%%values one is written", "left as the stub", 3, 6, ("ada", "cleo", "finn"))
    few = Ranked("one", "one has no races", "a data race", 2, 6, ("ada", "cleo"))
    wrong = replace(report, findings=(stub, few))
    assert list(first_lines(wrong)) == [
        "a mistake of the class, 3 of 6: one, %%values one is written: left as the stub"
    ]
    assert [line for line in lines_of(wrong) if line.startswith("wrong, ")] == [
        "wrong, 2 of 6: one has no races: a data race"
    ]
    page = shown(wrong, tmp_path)
    first = page.index("<li>3 of 6: one, %%values one is written: left as the stub</li>")
    assert first < page.index("To look at first") and page.count("<li>") == 1
    assert "Mistakes of the class" not in shown(replace(report, findings=(few,)), tmp_path)
