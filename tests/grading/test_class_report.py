"""What an instructor is told of a class: who handed in nothing, who is unknown, and where a file was written."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from nbgrader.api import Student
from small_course import Course, hand_in

from autograder import cli
from autograder.grading.class_report import read_report, report_lines, to_csv
from autograder.grading.classroom import Classroom, open_classroom
from autograder.grading.grade import grade
from autograder.grading.pages import write_page


@pytest.fixture(scope="module")
def room(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    """Ada and somebody whom the gradebook does not know have handed in; Bob and a student without a name have not."""
    room = open_classroom(shutil.copytree(fresh.root, tmp_path_factory.mktemp("class") / "course"))
    with room.gradebook() as gradebook:
        gradebook.db.add(Student(id="ada", first_name="Ada", last_name="Lovelace"))
        gradebook.db.add(Student(id="bob", first_name="Bob", last_name="Müller"))
        gradebook.db.add(Student(id="x7"))
        gradebook.db.commit()
    hand_in(room.root, "ada", "right")
    hand_in(room.root, "doejohn", "right")
    grade(room, "words")
    return room


def test_who_handed_in_nothing_is_named(room: Classroom, tmp_path: Path) -> None:
    report = read_report(room, "words")
    assert report.absent == ("Bob Müller (bob)", "x7")
    assert "nothing handed in: Bob Müller (bob), x7" in report_lines(report)
    assert [row.student for row in report.rows] == [name for name in ("ada", "bob", "doejohn", "x7") for _ in "12"]
    assert "bob,words,one,0,4,0,Nothing was handed in.," in to_csv(report.rows)
    write_page(tmp_path / "class.html", "class.html", chapter="words", report=report)
    assert "<p>Bob Müller (bob), x7</p>" in (tmp_path / "class.html").read_text()
    assert {scores.of for scores in report.scores} == {2}


def test_who_is_not_in_the_gradebook_is_marked(room: Classroom) -> None:
    (item,) = read_report(room, "words").attention
    assert (item.student, item.what) == ("doejohn", "not in the gradebook")
    assert any(line.startswith("not in the gradebook: doejohn: ") for line in report_lines(read_report(room, "words")))


def test_what_was_not_collected_or_not_graded_is_named(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shutil.copytree(room.root, tmp_path / "course"))
    downloads = Path("downloads")
    (downloads / "bob").mkdir(parents=True)
    (downloads / "bob" / "words.pdf").write_bytes(b"")
    (downloads / "=1+1\udcff.rar").write_bytes(b"")
    Path("submitted", "x7", "wrods").mkdir(parents=True)
    assert cli.main(["collect", "words", "downloads"]) == 1
    capsys.readouterr()
    assert cli.main(["report", "words"]) == 0
    lines = capsys.readouterr().out.splitlines()
    asked = "bob/words.pdf: bob handed in no notebook. Ask for the .ipynb file."
    unpack = "Only zip archives are unpacked here: unpack it by hand, and collect the folder."
    why = "submitted/x7/wrods is no chapter. If it is meant, rename it to words."
    assert {f"not collected: bob: {asked}", f"not graded: x7: {why}"} <= set(lines)
    (other,) = (line for line in lines if line.startswith("not collected: =1+1"))
    assert other.endswith(f".rar: {unpack}")
    assert not any(line.startswith("nothing handed in") for line in lines)
    assert cli.main(["report", "words", "--html", "class.html", "--csv", "class.csv"]) == 0
    page, table = Path("class.html").read_text(), list(csv.reader(Path("class.csv").read_text().splitlines()))
    assert f"<td>not collected</td><td>{asked}</td>" in page and f"<td>not graded</td><td>{why}</td>" in page
    assert ["bob", "words", "one", "0", "4", "0", "Nothing of it could be collected.", ""] in table
    assert ["bob", "words", "", "0", "0", "0", asked, ""] in table
    assert ["x7", "words", "one", "0", "4", "0", why, ""] in table
    (row,) = (row for row in table if "1+1" in row[6])
    assert row[:6] == ["", "words", "", "0", "0", "0"] and row[6].startswith("'=1+1")
    hand_in(Path.cwd(), "bob", "right")
    assert cli.main(["report", "words"]) == 0
    assert "words.pdf" not in capsys.readouterr().out


def test_where_a_file_was_written_is_said(
    room: Classroom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(room.root)
    assert cli.main(["report", "words", "--html", "out/class.html", "--csv", "class.csv"]) == 0
    assert capsys.readouterr().out == "The scores are in class.csv.\nThe report is in out/class.html.\n"
