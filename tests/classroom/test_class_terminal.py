"""The class report in a terminal, at 80 columns and wider."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import inputs
import pytest
from nbgrader.api import Student
from rich.console import Console
from small_course import Course, answer, source_notebook

from autograder import cli
from autograder.classroom.classroom import open_classroom
from autograder.classroom.execution.task import STUDENT_IS_WRONG, Task, TaskResult
from autograder.classroom.grade import grade
from autograder.classroom.results.class_grid import Cell, Line
from autograder.classroom.results.class_terminal import score_table

pytestmark = [inputs.grading, pytest.mark.starts_early]

EXERCISES = ("branchless_sum", "dot_any_n", "gemm_tiled_any_size", "missing_synchronization", "scan_one_block", "saxpy")
LONG = "Johanna Wilhelmina van der Straaten"
NAMES = {"s2026100": "Ada Lovelace", "s2026101": LONG, "s2026102": "Kay [B]", "s2026103": "Leo Li"}

Shown = Callable[[int], list[str]]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chapter of six exercises. Ada has handed in all, Johanna five and Kay one that cannot be read; Leo
    nothing. No notebook runs."""
    course = Course(tmp_path_factory.mktemp("terminal"))
    for name in EXERCISES:
        course.add("words", name, source_notebook())
    course.nbgrader(("generate_assignment", "words"))
    room = open_classroom(course.root)
    with room.gradebook() as gradebook:
        for student, name in NAMES.items():
            first, _, last = name.partition(" ")
            gradebook.db.add(Student(id=student, first_name=first, last_name=last))
        gradebook.db.commit()
    for name in EXERCISES:
        notebook = course.released("words", name)
        answer(notebook, "first", "right")
        course.submit("s2026100", "words", name, notebook)
        if name != "saxpy":
            course.submit("s2026101", "words", name, notebook)
    course.submit("s2026102", "words", "saxpy", json.dumps(notebook).encode()[:300])
    grade(room, "words", execute=execute)
    return course.root


def execute(task: Task) -> TaskResult:
    """In place of a run: all tests pass if an answer is right."""
    error = {"output_type": "error", "ename": STUDENT_IS_WRONG, "evalue": "", "traceback": []}
    passed = any(source.startswith("%%cuda") and "right" in source for source in task.cells)
    return TaskResult(tuple([error] if "check(" in cell and not passed else [] for cell in task.cells), "", 0.1)


@pytest.fixture
def shown(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shown:
    """What the command prints, by the columns of the terminal."""

    def show(width: int) -> list[str]:
        monkeypatch.chdir(root)
        monkeypatch.setenv("COLUMNS", str(width))
        assert cli.main(["report", "words"]) == 0
        return capsys.readouterr().out.splitlines()

    return show


def rows_of(lines: list[str]) -> dict[str, list[str]]:
    """The lines of the table that have a student's id, by the id, in words."""
    return {student: line.split() for line in lines for student in NAMES if f" {student} " in line}


def test_each_student_is_one_line_of_80_columns(shown: Shown) -> None:
    lines = shown(80)
    table = lines[: max(number for number, line in enumerate(lines) if " s2026103 " in line) + 1]
    assert all(len(line) <= 80 for line in table)
    assert [line.split()[0] for line in table[-4:]] == ["Ada", "Johanna", "Kay", "Leo"]
    rows = rows_of(table)
    assert rows["s2026100"][-7:] == ["4"] * 6 + ["24"] and rows["s2026101"][-7:] == [*["4"] * 4, "\u2013", "4", "20"]
    assert rows["s2026102"][:2] == ["Kay", "[B]"] and rows["s2026103"][-7:] == ["\u2013"] * 6 + ["0"]
    assert "\u2026" in table[-3] and "\u2026" not in table[-2]  # of what is long, the end is missing


def test_a_wider_terminal_shows_whole_names(shown: Shown) -> None:
    text = "\n".join(shown(140))
    assert LONG in text and "synchronization" in text


def test_signs_are_explained_where_they_stand(shown: Shown) -> None:
    lines = shown(80)
    assert "\u2013: nothing was handed in. " in "\n".join(lines) and "\u2205: " not in "\n".join(lines)


def test_a_total_that_may_change_is_marked(shown: Shown) -> None:
    """Kay's file could not be read. (What a person still has to grade: `test_class_attention`.)"""
    lines = shown(80)
    assert rows_of(lines)["s2026102"][-4:] == ["\u2013", "0?*", "\u2013", "0?"]
    assert rows_of(lines)["s2026100"][-1] == "24"
    reported = (
        "?: not final, because a person still has to give points, a file could not be read or collected, or it is "
    )
    assert f"{reported}in doubt which answer is meant. " in "\n".join(lines)


def test_a_name_is_told_from_others_at_80_columns(shown: Shown) -> None:
    """With 6 exercises, by more than five letters."""
    (line,) = (line for line in shown(80) if " s2026101 " in line)
    name = line.partition(" s2026101 ")[0].strip()
    assert name.endswith("\u2026") and len(name) >= 12


@pytest.mark.parametrize("number", [1, 8, 12])
def test_no_points_are_cut(number: int) -> None:
    cells = tuple(Cell(10, by_hand=1, oddities="odd") for _ in range(number))
    lines = [Line(f"s20261{n}", f"Min-jun Kierkegaard {n}", cells, "1 d 6 h") for n in range(3)]
    console = Console(width=100 if number == 12 else 80)
    with console.capture() as captured:
        console.print(score_table({f"exercise_{n}": 10.0 for n in range(number)}, lines, console.width))
    assert captured.get().count("10?*") == 3 * number and captured.get().count("Min-jun Kie") == 3
