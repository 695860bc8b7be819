"""Does the landing page show its race at once, use the screen, and let a reader fix the kernel there?"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import inputs
import pytest
from book_pages import ROOT
from browsing import CHROMIUM, box_of
from bs4 import BeautifulSoup
from playwright.sync_api import Browser

pytestmark = [inputs.book, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]
PATIENCE = 240_000  # milliseconds; only a failure takes as long


@pytest.mark.rare
def test_its_film_plays_by_itself_unless_one_wants_little_motion(site: str, browser: Browser) -> None:
    motions: dict[str, Literal["no-preference", "reduce"]] = {"Pause": "no-preference", "Play": "reduce"}
    for button, motion in motions.items():
        page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion=motion)
        page.goto(f"{site}/book/index.html", wait_until="load")
        page.locator(".pane-film").get_by_role("button", name=button).wait_for()
        page.close()


@pytest.mark.sampled()
@pytest.mark.parametrize("width", [1440, 1920])
def test_it_uses_the_screen(site: str, browser: Browser, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(f"{site}/book/index.html")
    film = box_of(page.locator(".pane-film"))
    title = box_of(page.locator("article h1"))
    left = title["x"]
    right = width - film["x"] - film["width"]
    assert max(left, right) < width / 5 and abs(left - right) < 60
    lead_in = box_of(page.locator(".lead-in"))
    # Below the title, which may be as wide as its font, and beside the lead-in.
    assert title["y"] + title["height"] <= film["y"] < lead_in["y"] + lead_in["height"] / 4
    assert film["x"] > lead_in["x"] + lead_in["width"]
    assert film["width"] > 600 and box_of(page.locator(".pane-film .tl-controls"))["y"] < 850
    for code in page.locator(".bug-and-report :is(pre, .ag-code)").all():
        assert code.evaluate("one => one.scrollWidth <= one.clientWidth"), code.inner_text()
    page.close()


def test_its_contents_say_what_and_how_long(html: Path) -> None:
    page = BeautifulSoup((html / "book/index.html").read_text(), "html.parser")
    lines = page.select(".toctree-l1 > .chapter-line")
    assert len(lines) == len(list(ROOT.glob("solutions/*/"))) and all(len(line.get_text()) > 40 for line in lines)
    minutes = sum(int(line.get_text().split()[-2]) for line in page.select(".chapter-time"))
    (whole,) = page.select(".course-time")
    assert f" about {round(minutes / 60)} hours." in whole.get_text()


def test_its_kernel_is_mended_there(site: str, html: Path, browser: Browser) -> None:
    if not (html / "_static/page/worker.js").exists():
        pytest.skip("the book was built without npm's packages")
    page = browser.new_context().new_page()
    page.goto(f"{site}/book/index.html")
    message = page.locator(".tried-here")
    before = message.inner_html()
    film = page.locator(".pane-film .pane-title")
    assert film.inner_text() == "What happened"
    race = page.locator(".pane-film svg:visible .tl-race")
    assert race.count()
    page.get_by_role("button", name="Try it").click()
    editor = page.locator(".cm-content")
    editor.wait_for()
    page.locator(".cm-line", has_text="tile[t] = in[t];").click()
    page.keyboard.press("End")
    page.keyboard.insert_text("\n    __syncthreads();")
    page.get_by_role("button", name="Run").click()
    message.get_by_text("fold has no races: passed in 1 case").wait_for(timeout=PATIENCE)
    assert "FAILED" not in message.inner_text()
    page.locator(".answer-status.all-points", has_text="Fixed: ").wait_for()
    assert film.inner_text() == "What happened in your run"
    assert page.locator(".pane-film svg:visible").count() and not race.count()
    page.get_by_role("button", name="Close").click()
    assert message.inner_html() == before and film.inner_text() == "What happened"
    page.context.close()
