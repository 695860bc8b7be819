"""How large the page of a large class is."""

from __future__ import annotations

from pathlib import Path

import inputs

from autograder.grading.results.class_data import ExerciseScores, Ranked
from autograder.grading.results.class_grid import Cell, Line
from autograder.grading.results.class_report import Attention, ClassReport
from autograder.grading.results.likeness import SHOWN, Alike
from autograder.grading.results.pages import write_class_page

pytestmark = inputs.grading


def test_a_class_of_300_has_a_page_under_1_mb(tmp_path: Path) -> None:
    """Five exercises; in every third notebook something is odd, each way to fail is seen, and two students wrote a
    program of a megabyte."""
    students = [f"student{number:03}" for number in range(300)]
    exercises = tuple(f"exercise_{number}" for number in range(5))
    why = "The answer cell begins with another line than '%%cuda exercise_0': its text was graded all the same. " * 2
    attention = tuple(Attention(who, name, "recovered", why) for who in students[::3] for name in exercises)
    odd, plain = Cell(9.5, 0.5, 1, "recovered"), Cell(10.0)
    lines = tuple(
        Line(who, f"Kim {who.title()}-Fitzgerald", (plain if number % 3 else odd,) * 5, "2 days 3 hours")
        for number, who in enumerate(students)
    )
    findings = tuple(
        Ranked(name, f"{name} has no bank conflicts", finding, 60, 300, tuple(students[:60]), "x" * 1500)
        for name in exercises
        for finding in map("a finding of kind {}".format, range(20))
    )
    answer = "    tile[threadIdx.x] = in[threadIdx.x];\n"
    texts = [(answer * 30_000,) * 2, *[(answer * 60,) * 2] * (SHOWN - 1)]
    alike = tuple(Alike(exercises[0], "%%cuda exercise_0", tuple(students[:9]), 0.9, pair) for pair in texts)
    scores = tuple(ExerciseScores(name, name.title(), 300, 300, 10.0, 8.5, 9.0, 90) for name in exercises)
    report = ClassReport(attention, exercises, lines, scores, findings, alike, (), (), (), ())
    write_class_page(tmp_path / "class.html", "words", report)
    page = (tmp_path / "class.html").read_text(encoding="utf-8")
    assert all(who in page for who in students)
    assert len(page.encode()) < 1e6
