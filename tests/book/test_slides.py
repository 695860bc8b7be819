"""The slides: is each deck made of its chapter by its outline, all of it in sight, and nothing from elsewhere?"""

from __future__ import annotations

import csv
import re
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import inputs
import pytest
from book_pages import ROOT
from browsing import watch
from bs4 import BeautifulSoup, Tag
from course_book.stated import Stated
from course_slides import outline as outlines
from course_slides.deck import deck
from course_slides.misconceptions import JUDGED, all_misconceptions, read_misconception
from course_slides.outline import LESSONS, Outline, Part, Slide, read_outline

from autograder.cuda.report.chapters import chapters

if TYPE_CHECKING:  # as in browsing.py
    from playwright.sync_api import Browser

pytestmark = inputs.book
CHAPTERS = list(chapters())
#: In pixels: what is drawn beyond the slide by rounding.
SLACK = 3
#: In pixels, on a screen of 1280 x 720: code and tables, and the legends of drawings beside switches.
SMALLEST, SMALLEST_LEGEND = 11, 10
#: Whether each slide lies within the screen when it is its turn, and how small its smallest letters are.
STAGE = """async (slack) => {
  const outside = [], small = [], slides = document.querySelectorAll(".slides > section");
  for (let number = 0; number < slides.length; ++number) {
    deck.slide(number);
    for (const one of slides[number].querySelectorAll("h1, h2, .words > *, .words li, .shown, .shown > *")) {
      const { width, right, bottom, top } = one.getBoundingClientRect();
      if (width && (right > innerWidth + slack || bottom > innerHeight + slack || top < 0))
        outside.push([number + 1, one.className || one.tagName, right, bottom]);
    }
    for (const one of slides[number].querySelectorAll(".shown :is(pre, td, th, li, p)"))
      if (one.checkVisibility() && one.textContent.trim())
        small.push([
          parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom,
          !one.closest(".of-switches, .tl-picture"), number + 1,
        ]);
  }
  return [outside, small];
}"""


def _slides(html: Path, name: str) -> list[Tag]:
    soup = BeautifulSoup((html / "slides" / f"{name}.html").read_text(), "html.parser")
    return soup.select(".slides > section")


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_deck_has_the_slides_of_its_outline_each_with_notes(html: Path, name: str) -> None:
    outline, slides = read_outline(name), _slides(html, name)
    assert 12 <= len(slides) <= 25
    assert len(slides) == 1 + sum(len(part.slides) for part in outline.parts)
    for slide in slides[1:]:
        (notes,) = slide.select("aside.notes")
        assert len(notes.find_all(recursive=False)) >= 2, slide.h2
        assert re.search(r"minutes .*\d+ to \d+ of 90", notes.get_text())
        assert len(slide.select(".words li")) <= 4
    assert sum(bool(slide.select(".exercise")) for slide in slides) == 1
    assert sum(bool(slide.select(".prompt, .question")) for slide in slides) >= 4
    assert sum(bool(slide.select(".shown")) for slide in slides) >= len(slides) / 2
    assert not [inner for slide in slides for inner in slide.select("section")]  # reveal.js would take them for slides


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_slide_without_a_piece_of_the_chapter_has_something_to_say(name: str) -> None:
    for part in read_outline(name).parts:
        for slide in part.slides:
            assert slide.show or slide.lines or slide.exercise, slide.title


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_link_of_a_deck_leads_somewhere(html: Path, name: str) -> None:
    slides = html / "slides" / f"{name}.html"
    for link in BeautifulSoup(slides.read_text(), "html.parser").select("a[href], link[href], script[src]"):
        address = str(link.get("href") or link.get("src")).partition("#")[0].partition("?")[0]
        if not address.startswith(("https:", "http:")):
            assert (slides.parent / address).exists(), address


def test_chapters_and_the_pages_for_instructors_lead_to_each_deck(html: Path) -> None:
    teaching, lessons = ((html / "book" / f"appendix-{page}.html").read_text() for page in ("teaching", "lessons"))
    for name in CHAPTERS:
        assert f'href="../slides/{name}.html"' in (html / "book" / f"{name}.html").read_text()
        assert f'href="../slides/{name}.html"' in teaching and f'href="../slides/{name}.html#slide-2"' in lessons


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize("name", CHAPTERS)
def test_all_of_a_slide_is_in_sight_and_large_enough(site: str, browser: Browser, name: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    problems = watch(page, site)
    page.goto(f"{site}/slides/{name}.html")
    page.wait_for_function("deck.isReady()")
    outside, small = page.evaluate(STAGE, SLACK)
    assert outside == []
    assert [letters for letters in small if letters[0] < (SMALLEST if letters[1] else SMALLEST_LEGEND)] == []
    assert problems == []
    page.close()


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_deck_has_no_fault_that_axe_sees_and_fits_a_phone(site: str, browser: Browser, name: str) -> None:
    from accessibility import find_faint_text, find_unreachable, find_violations

    page = browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    problems = watch(page, site)
    page.goto(f"{site}/slides/{name}.html")  # where all slides are in sight
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for scheme in ("light", "dark"):
        page.evaluate("(scheme) => { document.documentElement.dataset.theme = scheme; }", scheme)
        assert find_faint_text(page, set()) == [], scheme
    assert find_violations(page) + find_unreachable(page) == []
    page.set_viewport_size({"width": 1280, "height": 720})
    page.reload()
    page.wait_for_function("deck.isReady()")
    assert find_violations(page) == []
    assert problems == []
    page.close()


def test_a_figure_plays_an_answer_waits_and_a_key_darkens(site: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
    page.goto(f"{site}/slides/banks.html#/1")
    page.locator(".present figure [aria-label='Play']").first.click()
    page.wait_for_function("document.querySelector('.present figure input[type=range]').value > 0")
    page.evaluate("deck.slide(document.querySelectorAll('.slides > section').length - 1)")
    answer = page.locator(".present .answer")
    assert answer.evaluate("one => getComputedStyle(one).visibility") == "hidden"
    page.keyboard.press("ArrowRight")
    page.wait_for_function("getComputedStyle(document.querySelector('.present .answer')).visibility === 'visible'")
    page.keyboard.press("d")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    page.close()


def test_a_deck_prints_a_page_for_each_slide(html: Path, site: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{site}/slides/barriers.html?print-pdf")
    page.wait_for_function("document.querySelectorAll('.pdf-page').length")
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == len(_slides(html, "barriers"))
    page.close()


PAGE = """<html><head></head><body><article><section id="idea"><h1>A chapter</h1><p>Before.</p>
<figure id="known"><svg></svg><figcaption><p><span class="caption-number">Figure 1.1 </span>What it is.</p></figcaption>
</figure></section></article></body></html>"""
EXERCISES = {"exercises/idea/first": Stated("The first", 10, 15)}


def _deck(*slides: Slide) -> str:
    return deck(PAGE, "book/idea", Outline("An idea.", [Part("All", LESSONS, list(slides))]), EXERCISES)


def test_a_slide_shows_a_piece_and_puts_its_text_into_the_notes() -> None:
    slide = BeautifulSoup(_deck(Slide("A claim", ["A line."], show="known")), "html.parser").select("section")[1]
    assert slide.select_one(".shown figure svg") and not slide.select("figcaption")
    (part,), (aside,) = slide.select(".part"), slide.select("aside.notes")
    assert part.get_text() == "AllFigure 1.1"
    notes = aside.get_text()
    assert "Before." in notes and "What it is." in notes and "A claim" not in notes


@pytest.mark.parametrize(
    ("slides", "why"),
    [
        ([Slide("A", show="idea table")], "'idea table' is there no more"),
        ([Slide("A", show="known"), Slide("B", show="known")], "'known' is shown twice"),
        ([Slide("A", exercise="second")], "no exercise 'second'"),
    ],
)
def test_an_outline_that_does_not_fit_its_chapter_is_refused(slides: list[Slide], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        _deck(*slides)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Idea.\n# All | 50 | 80\n## A\n- a\n", "lesson of 90 minutes take 80"),
        ("Idea.\n# All\n## A\n", "a slide comes after a part"),
        ("Idea.\n## A\n# All | 50 | 90\n", "a slide comes after a part"),
        ("Idea.\n# All | 50 | 90\n- a\n", "a slide comes after a part"),
    ],
)
def test_an_outline_with_a_mistake_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, why: str
) -> None:
    monkeypatch.setattr(outlines, "FOLDER", tmp_path)
    (tmp_path / "idea.md").write_text(text)
    with pytest.raises(ValueError, match=why):
        read_outline("idea")


def test_lessons_are_planned_for_each_chapter_in_order(html: Path) -> None:
    page = BeautifulSoup((html / "book" / "appendix-lessons.html").read_text(), "html.parser")
    titles = [heading.find(string=True) for heading in page.select("article section > section > h2")]
    assert titles == [chapter.title for chapter in chapters().values()]
    plans = page.select(".lesson-plan table")
    assert len(plans) == len(titles)
    for plan in plans:
        columns = [[cell.get_text() for cell in row.select("td")] for row in plan.select("tbody tr")]
        for lesson, length in enumerate(LESSONS):
            assert sum(int(row[lesson]) for row in columns if row[lesson].isdigit()) == length
        assert "Exercise: " in plan.get_text()


def test_a_line_that_is_no_misconception_is_refused() -> None:
    with pytest.raises(ValueError, match="a misconception is 'exercise/answer"):
        read_misconception("A belief without an answer.")


def _rows() -> list[dict[str, str]]:
    with (ROOT / "book" / "data" / JUDGED).open() as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def test_each_chapter_has_misconceptions_and_each_was_judged() -> None:
    named = [(chapter, misconception.answer) for chapter, misconception in all_misconceptions()]
    assert [(row["chapter"], row["answer"]) for row in _rows()] == named
    assert all(sum(chapter == key.replace("-", "_") for chapter, _ in named) >= 3 for key in CHAPTERS)


@pytest.mark.sampled(one_in=10)
@pytest.mark.parametrize("number", range(len(_rows())), ids=[row["answer"] for row in _rows()])
def test_the_report_still_says_so(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = ROOT / "book" / "data"
    monkeypatch.setattr(sys, "path", [str(data), *sys.path])
    judged = runpy.run_path(str(data / "measure_misconceptions.py"))["judged"]
    assert judged(*list(all_misconceptions())[number]) == _rows()[number], "run book/data/measure_misconceptions.py"
