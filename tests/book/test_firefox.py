"""Can a reader answer an exercise and change a listing in Firefox?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import inputs
import pytest
from book_pages import ROOT
from course_page.in_page.judging import kind_of
from firefox import CONTROL, ENTER, FIREFOX, Firefox, firefox

pytestmark = [inputs.book, pytest.mark.rare, pytest.mark.skipif(FIREFOX is None, reason="no Firefox")]
SCREENSHOTS = ROOT / "_build" / "screenshots"
#: Seconds that a check may take on a busy machine, the download included.
PATIENCE = 300
POINTS = r"/\d+ of \d+ points/.exec(document.querySelector('.answer-status')?.textContent)?.[0]"


@pytest.fixture
def window(tmp_path: Path, html: Path) -> Iterator[Firefox]:
    if not (html / "_static/page/worker.js").exists():
        pytest.skip("the book was built without npm's packages")
    (tmp_path / "profile").mkdir()
    with firefox(tmp_path / "profile") as window:
        if not window.evaluate("'Suspending' in WebAssembly"):
            pytest.skip("this Firefox has no JSPI, so its pages say that they can only be read")
        yield window


def answer_of(name: str) -> str:
    cells = json.loads((ROOT / f"solutions/{name}.ipynb").read_text())["cells"]
    (text,) = ("".join(cell["source"]) for cell in cells if kind_of(cell) == "answer")
    return text.partition("\n")[2]


def test_an_exercise_is_answered_and_remembered(window: Firefox, site: str) -> None:
    window.goto(f"{site}/exercises/threads/saxpy.html")
    window.wait("Boolean(document.querySelector('.answer-write'))")
    window.evaluate("document.querySelector('.answer-write').click()")
    window.wait("document.activeElement.matches('.cm-content')")
    window.press("a", held=CONTROL)
    window.press(answer_of("threads/saxpy").replace("if (i < n)", "if (i <= n)").replace("\n", ENTER))
    window.press(ENTER, held=CONTROL)
    assert window.wait(POINTS, PATIENCE) != "10 of 10 points"
    assert "stays in bounds: FAILED" in window.evaluate("document.querySelector('.answer-results').innerText")
    window.press("a", held=CONTROL)
    window.press(answer_of("threads/saxpy").replace("\n", ENTER))
    window.wait("/earlier version/.test(document.querySelector('.answer-status').textContent)")
    window.press(ENTER, held=CONTROL)
    window.wait(f"({POINTS}) === '10 of 10 points'", PATIENCE)
    window.screenshot(SCREENSHOTS / "firefox_solved.png")

    window.goto(f"{site}/exercises/threads/saxpy.html")
    window.wait(f"({POINTS}) === '10 of 10 points'")
    assert (
        window.evaluate("document.querySelector('.bd-links .current .progress-mark.solved')?.textContent")
        == "✓ (solved)"
    )
    assert window.wrong == []


def test_pages_have_no_errors_and_fit_a_phone(window: Firefox, site: str) -> None:
    for name in (
        "book/index",
        "book/barriers",
        "book/banks",
        "book/your-progress",
        "search",
        "exercises/atomics/histogram_shared",
    ):
        for width in (1280, 500):
            window.resize(width, 900)
            window.goto(f"{site}/{name}.html")
            window.evaluate("document.fonts.ready.then(() => true)")
            assert window.evaluate("document.documentElement.scrollWidth") <= width, name
            window.screenshot(SCREENSHOTS / f"firefox_{name.replace('/', '_')}_{width}.png")
    assert window.wrong == []
