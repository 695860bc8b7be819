"""The report on a class: who handed in nothing, who is unknown, and where a file was written."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import inputs
import pytest
from nbgrader.api import Student
from small_course import Course, submit
from sqlalchemy import Engine, event

from autograder import cli
from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.grade import grade
from autograder.classroom.results import export
from autograder.classroom.results.class_report import harmless, read_report, to_csv
from autograder.classroom.results.class_terminal import report_lines
from autograder.classroom.results.feedback import write_feedback
from autograder.classroom.results.pages import write_class_page
from autograder.classroom.submission.notes import Note, NoteKind

pytestmark = inputs.grading


@pytest.fixture(scope="module")
def room(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    """Ada and a student who is not in the gradebook have handed in; Bob and a student without a name have not."""
    room = open_classroom(shutil.copytree(fresh.root, tmp_path_factory.mktemp("class") / "course"))
    with room.gradebook() as gradebook:
        gradebook.db.add(Student(id="ada", first_name="Ada", last_name="Lovelace"))
        gradebook.db.add(Student(id="bob", first_name="Bob", last_name="Müller"))
        gradebook.db.add(Student(id="x7"))
        gradebook.db.commit()
    submit(room.root, "ada", "right")
    submit(room.root, "doejohn", "right")
    grade(room, "words")
    return room


def test_who_handed_in_nothing_is_named(room: Classroom, tmp_path: Path) -> None:
    report = read_report(room, "words")
    assert report.absent == ("bob", "x7")
    assert "nothing handed in: Bob Müller (bob), x7" in report_lines(report)
    assert [row.student for row in report.rows] == [name for name in ("ada", "bob", "doejohn", "x7") for _ in "12"]
    assert "bob,words,one,0,4,0,Nothing was handed in.," in to_csv(report.rows)
    write_class_page(tmp_path / "class.html", "words", report)
    assert "<p>Bob Müller (bob), x7</p>" in (tmp_path / "class.html").read_text()
    assert {scores.of for scores in report.scores} == {2}


def test_a_larger_class_takes_no_more_queries(room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """nbgrader's tables have no index for them, so each takes as long as the class is large."""
    readers: tuple[Callable[[Classroom], object], ...] = (
        lambda room: read_report(room, "words"),
        lambda room: write_feedback(room, "words"),
        lambda room: export.read_scores(room, ()),
        export.waiting,
    )
    made: list[str] = []

    def note(*given: Any) -> None:
        made.append(given[2])

    def queries(room: Classroom) -> list[int]:
        found = []
        for read in readers:
            made.clear()
            read(room)
            found.append(len(made))
        return found

    monkeypatch.chdir(shutil.copytree(room.root, tmp_path / "course"))
    event.listen(Engine, "before_cursor_execute", note)
    try:
        few = queries(open_classroom(Path.cwd()))
        for number in range(5):
            submit(Path.cwd(), f"student{number}", "right")
        grade(open_classroom(Path.cwd()), "words")
        many = queries(open_classroom(Path.cwd()))
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert min(few) > 0 and all(more <= less for more, less in zip(many, few, strict=True))


def test_who_is_not_in_the_gradebook_is_marked(room: Classroom) -> None:
    (item,) = read_report(room, "words").attention
    assert (item.student, item.what) == ("doejohn", "not in the gradebook")
    assert any(line.startswith("not in the gradebook: doejohn: ") for line in report_lines(read_report(room, "words")))


def test_what_was_not_collected_or_not_graded_is_named(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shutil.copytree(room.root, tmp_path / "course"))
    downloads = Path("downloads")
    Path("submitted", "ada", "words", "timestamp.txt").write_text("soon")  # after it was graded
    (downloads / "bob").mkdir(parents=True)
    (downloads / "bob" / "words.pdf").write_bytes(b"")
    (downloads / "=1+1\udcff.rar").write_bytes(b"")
    Path("submitted", "x7", "wrods").mkdir(parents=True)
    for name in ("M\udcfcller", "l" * 129):
        submit(Path.cwd(), name, "right")
    assert cli.main(["collect", "words", "downloads"]) == 1
    capsys.readouterr()
    assert cli.main(["report", "words"]) == 0
    lines = capsys.readouterr().out.splitlines()
    requested = "bob/words.pdf: Bob Müller (bob) handed in no notebook. Ask for the .ipynb file."
    unpack = "Only zip archives are unpacked here: unpack it by hand, and collect the folder."
    why = "submitted/x7/wrods is no chapter. If it is meant, rename it to words."
    assert {f"not collected: Bob Müller (bob): {requested}", f"not graded: x7: {why}"} <= set(lines)
    date = "submitted/ada/words/timestamp.txt holds no date. Write it as 2026-03-01 12:00 UTC, or delete it."
    assert f"not graded: Ada Lovelace (ada): {date}" in lines
    report = read_report(open_classroom(Path.cwd()), "words")
    totals = {line.student: line.total_text for line in report.lines}
    assert {totals[student] for student in ("ada", "bob", "x7")} == {"9?", "0?"} and totals["doejohn"] == "9"
    assert sum(line.startswith(("not collected: Bob", "not graded: x7")) for line in lines) == 2
    for name in ("M ller", "l" * 129):
        assert f"not graded: {name}: submitted/{name}: no gradebook can hold this name. Rename the folder." in lines
    (other,) = (line for line in lines if line.startswith("not collected: =1+1"))
    assert other.endswith(f".rar: {unpack}")
    assert not any(line.startswith("nothing handed in") for line in lines)
    assert cli.main(["report", "words", "--html", "class.html", "--csv", "class.csv"]) == 0
    page, table = Path("class.html").read_text(), list(csv.reader(Path("class.csv").read_text().splitlines()))
    assert f"<td>not collected</td><td>{requested}</td>" in page and f"<td>not graded</td><td>{why}</td>" in page
    assert ["bob", "words", "one", "0", "4", "0", "Nothing of it could be collected.", "", "", ""] in table
    assert ["bob", "words", "", "0", "0", "0", requested, "", "", ""] in table
    assert ["x7", "words", "one", "0", "4", "0", why, "", "", ""] in table
    (row,) = (row for row in table if "1+1" in row[6])
    assert row[:6] == ["", "words", "", "0", "0", "0"] and row[6].startswith("'=1+1")
    submit(Path.cwd(), "bob", "right")
    assert cli.main(["report", "words"]) == 0
    assert "words.pdf" not in capsys.readouterr().out


def test_a_notebook_with_no_exercises_name_is_named(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ada has one besides the right ones; Bob has two candidates, and Cleo one, which is graded."""
    monkeypatch.chdir(shutil.copytree(room.root, tmp_path / "course"))
    for student, names in (("bob", ["one (1)", "one (2)"]), ("cleo", ["final"])):
        submit(Path.cwd(), student, "right")
        path = Path("submitted", student, "words", "one.ipynb")
        for name in names:
            shutil.copy(path, path.with_stem(name))
        path.unlink()
    shutil.copy("submitted/ada/words/one.ipynb", "submitted/ada/words/mine.ipynb")
    here = open_classroom(Path.cwd())
    grade(here, "words")
    report = read_report(here, "words")
    named = {item.why.partition(" has ")[0]: item.student for item in report.attention if " has no e" in item.why}
    assert named == {
        "submitted/ada/words/mine.ipynb": "ada",
        "submitted/bob/words/one (1).ipynb": "bob",
        "submitted/bob/words/one (2).ipynb": "bob",
    }
    assert any(
        line.startswith("not graded: Ada Lovelace (ada): submitted/ada/words/mine.ipynb has")
        for line in report_lines(report)
    )
    assert {row.student for row in report.left} == {"ada", "bob"}


def test_a_damaged_graded_notebook_is_told_of_and_written_again(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shutil.copytree(room.root, tmp_path / "course"))
    graded = Path("autograded", "ada", "words", "one.ipynb")
    graded.chmod(0o644)
    graded.write_text("{")
    why = f"{graded} cannot be read. Run `autograder grade words`, which writes it again."
    assert cli.main(["report", "words"]) == 0
    assert f"not graded: Ada Lovelace (ada), one: {why}" in capsys.readouterr().out
    assert cli.main(["feedback", "words"]) == 2
    assert capsys.readouterr().err == f"autograder: {why}\n"
    assert cli.main(["grade", "words"]) == 0
    assert cli.main(["feedback", "words"]) == 0


def test_where_a_file_was_written_is_said(
    room: Classroom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(room.root)
    assert cli.main(["report", "words", "--html", "out/class.html", "--csv", "class.csv"]) == 0
    assert capsys.readouterr().out == "The scores are in class.csv.\nThe report is in out/class.html.\n"


def test_no_formula_begins_behind_a_semicolon() -> None:
    """Which separates the fields of a table in many countries."""
    assert harmless("a; b;=HYPERLINK(1); @x") == "a; b; '=HYPERLINK(1); ' @x"


def test_each_check_has_its_points_in_the_table(room: Classroom, tmp_path: Path) -> None:
    here = open_classroom(shutil.copytree(room.root, tmp_path / "course"))
    with here.gradebook() as gradebook:
        gradebook.find_grade("test-second", "one", "words", "ada").needs_manual_grade = True
        gradebook.db.commit()
    table = csv.DictReader(to_csv(read_report(here, "words").rows).splitlines())
    rows = {(row["student"], row["exercise"]): row for row in table}
    assert rows["ada", "one"]["checks"] == "test-first 2/2; test-second ?/2"
    assert rows["doejohn", "one"]["checks"] == "test-first 2/2; test-second 2/2" and not rows["bob", "one"]["checks"]


def test_no_terminal_acts_on_a_table(room: Classroom) -> None:
    """Whatever a file is called, or a spreadsheet would make of it."""
    report = read_report(room, "words")
    row = replace(report.rows[0], name="\x1b]0;x\x07one", notes=(Note(NoteKind.RENAMED, "\x9b2J\r\nis \u202e odd"),))
    text = to_csv([row])
    assert all(sign.isprintable() or sign == "\n" for sign in text)
    assert harmless("two\nlines\tof text") == "two\nlines\tof text" and harmless("\r=1") == "' =1"
