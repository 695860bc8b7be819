"""The page of a large class: how large it is, and what a browser makes of it on a screen and on paper."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import inputs
import pytest
from browsing import CHROMIUM, box_of
from playwright.sync_api import Browser, Page
from pypdf import PdfReader

from autograder.classroom.results.class_data import LONGEST, ExerciseScores, Ranked
from autograder.classroom.results.class_grid import Cell, Line
from autograder.classroom.results.class_report import Attention, ClassReport
from autograder.classroom.results.pages import write_class_page
from autograder.classroom.results.similarity import SHOWN, Alike

pytestmark = inputs.grading

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
STUDENTS = [f"student{number:03}" for number in range(300)]
EXERCISES = tuple(f"exercise_{number}" for number in range(10))


@pytest.fixture(scope="module")
def report() -> ClassReport:
    """In every third notebook something is odd, each way to fail is seen, and two students wrote a program of a
    megabyte. The first student has the fewest points."""
    why = "The answer cell begins with another line than '%%cuda exercise_0': its text was graded all the same. " * 2
    attention = tuple(Attention(who, name, "recovered", why) for who in STUDENTS[::3] for name in EXERCISES)
    odd, plain = Cell(9.5, 0.5, 1, "recovered"), Cell(10.0)
    lines = tuple(
        Line(who, f"Kim {who.title()}-Fitzgerald", (plain if number % 3 else odd,) * 10, "2 d 3 h")
        for number, who in enumerate(STUDENTS)
    )
    findings = tuple(
        Ranked(
            name, f"{name} has no bank conflicts", finding, 60, 300, tuple(STUDENTS[:60]), STUDENTS[0], "x" * LONGEST
        )
        for name in EXERCISES
        for finding in map("a finding of kind {}".format, range(20))
    )
    answer = "    tile[threadIdx.x] = in[threadIdx.x];\n"
    texts = [(answer * 30_000,) * 2, *[(answer * 60,) * 2] * (SHOWN - 1)]
    alike = tuple(Alike(EXERCISES[0], "%%cuda exercise_0", tuple(STUDENTS[:9]), 0.9, pair) for pair in texts)
    scores = tuple(ExerciseScores(name, name.title(), 300, 300, 10.0, 8.5, 9.0, 90) for name in EXERCISES)
    names = {line.student: line.name for line in lines}
    points = dict.fromkeys(EXERCISES, 10.0)
    return ClassReport(attention, (), points, lines, scores, findings, (), alike, (), (), (), (), names)


@pytest.fixture(scope="module")
def path(report: ClassReport, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("class") / "class.html"
    write_class_page(path, "words", report)
    return path


@pytest.fixture
def page(browser: Browser, path: Path) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(path.as_uri())
    return page


def test_a_class_of_300_has_a_page_under_1_mb(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert all(who in text for who in STUDENTS)
    assert len(text.encode()) < 1e6


@needs_chromium
def test_what_is_out_of_sight_is_not_laid_out(page: Page) -> None:
    ends_up = """(table, wanted) => new Promise(tell => {
        const look = frames => {
            const seen = table.checkVisibility({contentVisibilityAuto: true});
            if (seen === wanted || !frames) tell(seen); else requestAnimationFrame(() => look(frames - 1));
        };
        look(600);
    })"""
    first, *others = page.locator("table").all()
    assert first.evaluate(ends_up, True)
    assert [other.evaluate(ends_up, False) for other in others] == [False] * 3
    page.locator(".grid thead").scroll_into_view_if_needed()
    assert page.locator(".grid").evaluate(ends_up, True)


@needs_chromium
def test_a_click_sorts_and_says_so(page: Page) -> None:
    """It reads each row once, which a comparison of rows would do several times."""
    page.evaluate(
        """() => {
            const text = Object.getOwnPropertyDescriptor(Node.prototype, "textContent").get;
            window.read = 0;
            Object.defineProperty(Node.prototype, "textContent", {get() { window.read++; return text.call(this); }});
        }"""
    )
    total = page.locator(".grid").get_by_role("button", name="Total")
    first = page.locator(".grid tbody tr").first
    for order, student in (("ascending", "student000"), ("descending", "student001")):
        total.click()
        assert page.locator(".grid th[aria-sort]").get_attribute("aria-sort") == order
        assert student in first.inner_text()
    assert page.evaluate("window.read") == 2 * len(STUDENTS)


@needs_chromium
def test_on_a_narrow_screen_tables_move_and_the_page_does_not(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    late = page.locator(".grid th", has_text="Late")
    late.scroll_into_view_if_needed()
    assert box_of(late)["x"] + box_of(late)["width"] <= 390


@pytest.mark.rare
@needs_chromium
def test_paper_shows_every_column_and_names_it_on_each_sheet(
    browser: Browser, report: ClassReport, tmp_path: Path
) -> None:
    """Also where there are more of them than fit: then all become smaller."""
    exercises = {f"a_longer_name_than_others_{number}": 10.0 for number in range(24)}
    lines = tuple(replace(line, cells=line.cells[:1] * 24) for line in report.lines)
    wide = replace(report, exercises=exercises, lines=lines, attention=(), findings=(), alike=())
    write_class_page(tmp_path / "class.html", "words", wide)
    page = browser.new_page()
    page.goto((tmp_path / "class.html").as_uri())
    page.pdf(path=tmp_path / "class.pdf", prefer_css_page_size=True)
    sheets = [sheet.extract_text().split() for sheet in PdfReader(tmp_path / "class.pdf").pages]
    (students,) = (sheet for sheet in sheets if "student150" in sheet)
    assert {"Name", "Total", "Late"} <= set(students)
