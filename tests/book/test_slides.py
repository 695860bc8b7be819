"""The slides: do they hold what the chapters show, all of it in sight, and nothing from elsewhere?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import inputs
import pytest
from browsing import watch
from bs4 import BeautifulSoup, Tag

from autograder.cuda.report.chapters import chapters

if TYPE_CHECKING:  # as in browsing.py
    from playwright.sync_api import Browser

pytestmark = inputs.book
CHAPTERS = list(chapters())
#: What a lecturer wants to show, as CSS selectors.
PICTURES = "figure.kernel-figure, .literal-block-wrapper, .numbered-table, .report"
#: In pixels: what is drawn beyond the slide by rounding.
SLACK = 3
#: Whether each slide lies within the screen, when it is its turn.
OUTSIDE = """async (slack) => {
  const outside = [], slides = document.querySelectorAll(".slides > section");
  for (let number = 0; number < slides.length; ++number) {
    deck.slide(number);
    for (const one of slides[number].querySelectorAll("h2, .keys li, .shown > *, .list > *")) {
      const { width, right, bottom, top } = one.getBoundingClientRect();
      if (width && (right > innerWidth + slack || bottom > innerHeight + slack || top < 0))
        outside.push([number + 1, one.className || one.tagName, right, bottom]);
    }
  }
  return outside;
}"""


def _part(path: Path, selector: str) -> Tag:
    found = BeautifulSoup(path.read_text(), "html.parser").select_one(selector)
    assert found is not None, path
    return found


def _unfolded(part: Tag) -> int:
    return len(part.select(PICTURES)) - len(part.select(f"details :is({PICTURES})"))


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("name", CHAPTERS)
def test_each_deck_has_the_figures_key_sentences_and_questions_of_its_chapter(html: Path, name: str) -> None:
    page, slides = _part(html / "book" / f"{name}.html", "article"), _part(html / "slides" / f"{name}.html", ".slides")
    assert _unfolded(slides) == _unfolded(page)
    assert len(slides.select(".keys li")) == len(page.select(".key")) >= 15
    assert len(slides.select(".question")) == len(page.select("#check-yourself > details")) >= 4
    assert not slides.select("section section")  # reveal.js would take them for slides


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_link_of_a_deck_leads_somewhere(html: Path, name: str) -> None:
    slides = html / "slides" / f"{name}.html"
    for link in BeautifulSoup(slides.read_text(), "html.parser").select("a[href], link[href], script[src]"):
        address = str(link.get("href") or link.get("src")).partition("#")[0].partition("?")[0]
        if not address.startswith(("https:", "http:")):
            assert (slides.parent / address).exists(), address


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize("name", CHAPTERS)
def test_all_of_a_slide_is_in_sight(site: str, browser: Browser, name: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    problems = watch(page, site)
    page.goto(f"{site}/slides/{name}.html")
    page.wait_for_function("deck.isReady()")
    assert page.evaluate(OUTSIDE, SLACK) == []
    assert problems == []
    page.close()


def test_a_figure_plays_and_an_answer_waits_on_a_slide(site: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{site}/slides/banks.html")
    page.locator(".present figure [aria-label='Play']").first.click()
    page.wait_for_function("document.querySelector('.present figure input[type=range]').value > 0")
    page.evaluate("deck.slide(document.querySelectorAll('.slides > section').length - 1)")
    answer = page.locator(".present .answer")
    assert answer.evaluate("one => getComputedStyle(one).visibility") == "hidden"
    page.keyboard.press("ArrowRight")
    page.wait_for_function("getComputedStyle(document.querySelector('.present .answer')).visibility === 'visible'")
    page.close()
