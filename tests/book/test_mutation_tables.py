"""Does the page on grading show what became of the mutants?"""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import mutation_reasons
import pytest
from book_pages import first
from bs4 import BeautifulSoup
from course_book import grading_tables, measured, mutation_tables
from mutation_reasons import UNEXPLAINED, Survivor, reason_for

HEAD = "# date: 2026-01-02\n# script: one.py\n"
COUNTS = (
    f"{HEAD}chapter,exercise,answer,operator,killed,equivalent,alike,survived,runs_on,timed_out,not_compiled,"
    "grader_failed\n"
)
SURVIVORS = f"{HEAD}chapter,exercise,answer,line,operator,differs_in,reason\n"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(measured, "DATA", tmp_path)
    (tmp_path / mutation_tables.COUNTS).write_text(
        f"{COUNTS}a,one,solution,change_type,90,3,6,10,2,4,5,0\na,one,backward,shift_index,7,0,0,0,0,0,0,0\n"
        "b,two,solution,shift_index,3,0,0,0,0,1,0,0\n"
    )
    (tmp_path / grading_tables.OURS).write_text(
        f"{HEAD}chapter,exercise,answer,rejected_by,failed,points\na,one,solution,,,10\nb,two,solution,,,10\n"
        "b,three,solution,,,10\nb,two,other.cu,matches_numpy,matches_numpy,0\n"
    )
    (tmp_path / mutation_tables.SURVIVORS).write_text(
        f"{SURVIVORS}a,one,solution,4,change_type,alike,because\na,one,backward,5,remove_statement,alike,because\n"
    )
    return tmp_path


def lines(html: str) -> dict[str, list[str]]:
    soup = BeautifulSoup(html, "html.parser")
    return {first(line, "th").text: [cell.text for cell in line.select("td")] for line in soup.select("tbody tr")}


def test_mutants_are_counted_by_answer_and_by_operator(data: Path) -> None:
    # In all, and in each column; and survivors in percent of those that count.
    by_answer, by_operator = lines(mutation_tables.by_exercise()), lines(mutation_tables.by_operator())
    assert by_answer["a: one"] == ["127", "97", "3", "6", "10", "11", "9.3"]
    assert by_answer["b: two"] == ["4", "3", "0", "0", "0", "1", "0.0"]
    assert by_operator["change type"] == ["120", "90", "3", "6", "10", "11", "10.0"]
    assert by_answer["all"] == by_operator["all"] == ["131", "100", "3", "6", "10", "12", "9.1"]


def test_each_survivor_has_its_reason(data: Path) -> None:
    assert lines(mutation_tables.reasons()) == {"because": ["2"]}
    assert lines(mutation_tables.survivors()) == {
        "a: one, line 4": ["change type", "alike", "because"],
        "a: one (backward), line 5": ["remove statement", "alike", "because"],
    }


@pytest.mark.parametrize(
    ("operator", "after", "differs", "reason"),
    [
        ("change_type", "float", "alike", "exact up to 16,777,216"),
        ("change_type", "signed char", "alike", "beyond 8 bits"),
        ("change_type", "float", "other results", "within the tolerance"),
        ("change_constant", "17", "other shared memory", "more shared memory"),
        ("change_constant", "1", "alike", "not there"),
        ("double_loop", "{ }", "other traffic", "a thing twice"),
        ("change_constant", "17", "alike", UNEXPLAINED),
        ("change_mask", "__activemask()", "alike", "nothing says they must"),
        ("change_mask", "0x0000ffff", "alike", UNEXPLAINED),
    ],
)
def test_a_reason_follows_from_the_edit_and_what_differs(operator: str, after: str, differs: str, reason: str) -> None:
    line = "row[t] = i < n ? in[i] : 0;" if after == "1" else "row[t] = 16;"
    before = "0" if after == "1" else "16"
    assert reason in reason_for(Survivor("key", operator, before, after, line, differs))


def test_what_somebody_read_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(mutation_reasons._REASONS, "0123abcd", "A thread has no part of its own here.")
    read = Survivor("0123abcd4567", "change_type", "int", "float", "int i = 0;", "alike")
    assert reason_for(read) == "A thread has no part of its own here."
    assert "exact up to" in reason_for(replace(read, key="0123abce4567"))


def test_answers_without_mutants_are_said_to_be_so(data: Path) -> None:
    reported = "Mutants of 2 of the 3 solutions, and one in 4 of those of 1 other right answers, made"
    assert reported in mutation_tables.by_exercise()
    ours = data / grading_tables.OURS
    ours.write_text(ours.read_text().replace("b,three,solution,,,10\n", ""))
    assert "Mutants of all 2 solutions" in mutation_tables.by_exercise()
    ours.write_text(ours.read_text().replace("b,two,solution,,,10\n", ""))
    with pytest.raises(ValueError, match="is about b: two, of which"):
        mutation_tables.by_exercise()


def test_the_files_are_about_the_same_mutants() -> None:
    reported = sum(int(row["survived"]) + int(row["alike"]) for row in measured.load(mutation_tables.COUNTS))
    assert reported == len(measured.load(mutation_tables.SURVIVORS)) > 0
    assert not sum(int(row["grader_failed"]) for row in measured.load(mutation_tables.COUNTS))
    assert "Mutants of " in mutation_tables.by_exercise()


def test_the_book_needs_no_package_that_a_newer_python_lacks() -> None:
    """CuPy and tree-sitter follow a new version of Python late."""
    code = "import sys; sys.modules.update(cupy=None, tree_sitter=None); import course_book.extension"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2] / "book/_ext", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
