"""The page for the next lecture: which mistakes it has, who could be recognized, and what a browser makes of it."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import inputs
import pytest
from accessibility import find_unreachable, find_violations
from browsing import CHROMIUM, watch
from pictured import KERNELS, explained
from playwright.sync_api import Browser

from autograder.classroom.results.lecture import (
    Lecture,
    find_dividing,
    make_lecture,
    read_beliefs,
    without_comments,
    write_lecture,
)
from autograder.classroom.results.outcomes import GradedAnswer, GradedCheck, GradedExercise
from autograder.cuda.report import Report
from autograder.exercises.result import Outcome

pytestmark = inputs.grading

ROOT = Path(__file__).parents[2]
RACY = KERNELS["one block"].text
#: The same, longer, with comments that name their author; one of them is in the report's lines.
SIGNED = RACY.replace("tile[threadIdx.x] = ", "tile[threadIdx.x] = 1 * ").replace(";\n    out", ";  // Ada L.\n    out")
SIGNED = f"/* Ada Lovelace,\n   27 */\n{SIGNED}"


def check(title: str, *, passed: bool, report: Report | None = None, points: float = 2.0) -> GradedCheck:
    outcome = Outcome.PASSED if passed else Outcome.FAILED
    return GradedCheck(title, title, outcome, False, report, points * passed, points)


def exercise(student: str, text: str, *checks: GradedCheck, name: str = "turn") -> GradedExercise:
    answer = GradedAnswer("answer", f"%%cuda {name}", text)
    return GradedExercise(student, name, name.title(), (answer,), checks, chapter="words")


def racy(student: str, text: str = RACY, report: Report | None = None) -> GradedExercise:
    """An answer that fails two checks for one reason."""
    numbers = Report("turn matches numpy: FAILED", kinds=("Mismatch",))
    races = replace(report or explained("one block")[2], title="turn has no races: FAILED")
    failed = check("turn has no races", passed=False, report=races), check("turn fits", passed=False, report=numbers)
    return exercise(student, text, *failed)


def test_the_mistakes_most_made_come_first_and_each_cause_once(tmp_path: Path) -> None:
    late = check("turn stays in bounds", passed=False, report=Report("turn stays in bounds: FAILED", kinds=("Race",)))
    graded = [*(racy(f"s{n}") for n in range(5)), *(exercise(f"t{n}", RACY, late) for n in range(3))]
    stub = exercise("stub", "// YOUR CODE HERE", check("turn fits", passed=False))
    lecture = make_lecture([*graded, stub, stub, stub], tmp_path)
    assert lecture.written == 8
    shown = [(mistake.found.check, mistake.found.count, mistake.found.of) for mistake in lecture.mistakes]
    assert shown == [("turn has no races", 5, 8), ("turn stays in bounds", 3, 8)]  # it has a film, "turn fits" has none


def test_the_shortest_answer_is_shown_and_comments_are_not(tmp_path: Path) -> None:
    (mistake, *_) = make_lecture([racy("ada", SIGNED + "\nint unused;"), racy("ben", SIGNED)], tmp_path).mistakes
    text = "\n".join(mistake.lines.values())
    assert "unused" not in text and "Ada" not in text and mistake.lines[1] == "%%cuda turn"
    assert mistake.lines[4].startswith("__global__")  # below two lines of comments, and numbered as in the cell
    lines = without_comments("int a; // x\n\n  // y\nint b; /* z\n z */ int c;\n\n")
    assert lines == {2: "int a;", 3: "", 5: "int b;", 6: "      int c;"}


def test_no_comment_reaches_the_page_by_a_report(tmp_path: Path) -> None:
    report = explained("one block")[2]
    (line,) = [line for line in SIGNED.splitlines() if "Ada L." in line]
    parts = tuple(
        part if isinstance(part, str) else tuple(replace(row, text=line) for row in part) for part in report.parts
    )
    lecture = make_lecture([racy("lovelace", SIGNED, replace(report, parts=parts))], tmp_path)
    write_lecture(tmp_path / "a.html", "words", lecture, lambda text: "")
    page = (tmp_path / "a.html").read_text()
    assert "line 4" in page and "Ada" not in page and "lovelace" not in page


def test_a_check_divides_a_class_where_it_goes_with_the_rest() -> None:
    """Half of the class passes each check: two are passed by the same half, and one by every other student."""

    def student(number: int) -> GradedExercise:
        knows = number < 6
        coin = check("sum is lucky", passed=number % 2 == 0, points=1)
        waits, adds = (check(f"sum {name}", passed=knows) for name in ("waits", "adds"))
        return exercise(f"s{number}", "x", coin, waits, adds, name="sum")

    found = find_dividing(map(student, range(12)))
    assert found is not None
    assert (found.check, found.passed, found.of, found.rest) == ("sum waits", 6, 12, 3)
    assert (found.with_it, found.without_it) == (2.5, 0.5)


def test_nothing_divides_a_class_that_agrees_or_a_small_one() -> None:
    assert find_dividing([racy(f"s{n}") for n in range(9)]) is None

    def student(number: int, first: bool, second: bool) -> GradedExercise:
        return exercise(f"s{number}", "x", check("turn a", passed=first), check("turn b", passed=second))

    assert find_dividing(student(n, n > 1, n > 1) for n in range(9)) is None
    assert find_dividing(student(n, n < 4, n > 3) for n in range(8)) is None  # who passes one fails the other
    assert find_dividing(student(n, n < 4, n < 4) for n in range(8)) is not None


def test_what_students_believe_is_that_of_the_lessons(tmp_path: Path) -> None:
    beliefs = read_beliefs(ROOT)
    judged = (ROOT / "book/data/misconceptions_emulator.csv").read_text()
    lines = [line for line in judged.splitlines() if not line.startswith("#")]
    assert sum(map(len, beliefs.values())) == len(list(csv.DictReader(lines)))
    assert "Only threads that hold a number need to wait." in {text for texts in beliefs.values() for text in texts}
    (exercise_name, title), believed = next(iter(beliefs.items()))
    failed = check(f"{exercise_name} {title}", passed=False, report=Report("failed", kinds=("Race",)))
    (mistake,) = make_lecture([exercise(f"s{n}", "x", failed, name=exercise_name) for n in range(3)], ROOT).mistakes
    assert mistake.beliefs == believed
    assert read_beliefs(tmp_path) == {}


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
def test_a_browser_shows_the_page_and_plays_its_film(browser: Browser, tmp_path: Path) -> None:
    graded = [racy(f"s{n}", SIGNED) for n in range(5)]
    path = tmp_path / "lecture.html"
    write_lecture(path, "words", make_lecture(graded, ROOT), lambda text: "")
    page = browser.new_page(viewport={"width": 390, "height": 800})
    wrong = watch(page, path.as_uri())
    page.goto(path.as_uri())
    page.get_by_role("button", name="To the race").click()
    assert "Race:" in page.locator(".tl-now").inner_text()
    assert page.locator(".code tr").count() >= len(RACY.splitlines()) + 1 and page.locator("tr.marked").count() >= 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert find_violations(page) == [] and find_unreachable(page) == [] and not wrong


def test_a_class_without_mistakes_has_a_page(tmp_path: Path) -> None:
    write_lecture(tmp_path / "a.html", "words", Lecture(1, (), None), str)
    assert "of 1 student." in (tmp_path / "a.html").read_text()
