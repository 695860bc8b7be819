"""A student's page: what several checks say alike is said once."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path

import inputs
import pytest
from browsing import CHROMIUM
from playwright.sync_api import Browser

from autograder.classroom.results.feedback import write_feedback_page
from autograder.classroom.results.outcomes import GradedAnswer, GradedCheck, GradedExercise
from autograder.cuda.report import Report
from autograder.exercises.result import Outcome

pytestmark = inputs.grading

TITLES = ("sum matches numpy", "sum has no races", "sum stays in bounds", "sum is coalesced")
WHY = "The kernel does not compile yet."
JUDGED = "cannot be judged yet"

Shown = Callable[[GradedExercise], str]


def blocked(number: int, why: str = WHY) -> GradedCheck:
    report = Report(f"{TITLES[number]}: {JUDGED}", parts=(why,))
    return GradedCheck(f"c{number}", TITLES[number], Outcome.BLOCKED, False, report, 0, 2)


def exercise(*checks: GradedCheck, text: str = "int x") -> GradedExercise:
    answer = GradedAnswer("answer", "%%cuda sum", text)
    return GradedExercise("ada", "sum", "A sum", (answer,), checks, (), {}, 1.0, 0, 8)


@pytest.fixture
def shown(tmp_path: Path) -> Shown:
    """The page of one exercise, as text."""

    def show(item: GradedExercise) -> str:
        write_feedback_page(tmp_path / "page.html", "ada", "sums", [item], lambda text: "")
        return unescape((tmp_path / "page.html").read_text())

    return show


def test_what_does_not_compile_is_said_once_with_its_checks(shown: Shown) -> None:
    page = shown(exercise(*map(blocked, range(4))))
    assert page.count(WHY) == 1
    assert f"<h3>4 checks: {JUDGED}</h3>" in page
    reported = page.split("</h3>", 1)[1].split("<h3>Points")[0]
    assert re.findall(r"<li>(.*?)</li>", reported) == list(TITLES)
    assert page.count(JUDGED) == 2 and f'<td rowspan="4">{JUDGED}</td>' in page  # the other one is in the table
    assert page.count('<td class="number">0 of 2</td>') == 4


def test_an_answer_that_was_never_written_is_said_to_be_so_once(shown: Shown) -> None:
    page = shown(exercise(*map(blocked, range(4)), text="// YOUR CODE HERE"))
    assert page.count("No answer was written yet.") == 1 and page.count(JUDGED) == 1


def test_other_reasons_and_failures_are_told_one_by_one(shown: Shown) -> None:
    failed = GradedCheck("c1", TITLES[1], Outcome.FAILED, False, Report(f"{TITLES[1]}: FAILED", parts=(WHY,)), 0, 2)
    page = shown(exercise(blocked(0), failed, blocked(2, "The race comes first."), blocked(3)))
    assert re.findall(r"<h3>(.*?)</h3>", page)[:3] == [
        f"2 checks: {JUDGED}",
        f"{TITLES[1]}: failed",
        f"{TITLES[2]}: {JUDGED}",
    ]
    results = re.findall(r"<td(?: rowspan=\"(\d)\")?>(failed|cannot be judged yet)</td>", page)
    assert results == [("", JUDGED), ("", "failed"), ("2", JUDGED)]


def test_a_comment_of_a_person_stays_with_its_check(shown: Shown) -> None:
    page = shown(exercise(blocked(0), replace(blocked(1), comment="Well begun."), blocked(2)))
    assert page.count("Well begun.") == 1
    assert f"<h3>{TITLES[1]}: {JUDGED}</h3>" in page and f"<h3>2 checks: {JUDGED}</h3>" in page


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
def test_a_narrow_screen_shows_all_of_a_page(shown: Shown, tmp_path: Path, browser: Browser) -> None:
    long = "gemm_double_buffered makes requests to store to shared memory no more often than it must"
    shown(exercise(*(replace(blocked(number), title=long, max_score=0.5) for number in range(4))))
    page = browser.new_page(viewport={"width": 390, "height": 900})
    page.goto((tmp_path / "page.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 390
