"""Are open questions in the margin, with what would settle them, and listed in the epilogue?"""

from pathlib import Path
from typing import TYPE_CHECKING

import inputs
import pytest
from book_pages import attribute, first, words
from bs4 import BeautifulSoup, Tag

from autograder.cuda.report.chapters import chapters

if TYPE_CHECKING:  # as in browsing.py
    from playwright.sync_api import Browser

pytestmark = inputs.book

ROOT = Path(__file__).parents[2]


def notes(html: Path) -> dict[str, Tag]:
    """The notes of all chapters, in their order, by what the epilogue should link to."""
    found = {}
    for chapter in chapters().values():
        page = BeautifulSoup((html / f"{chapter.page}.html").read_text(), "html.parser")
        for note in page.select("aside.margin.open-question"):
            found[f"{chapter.page.removeprefix('book/')}.html#{attribute(note, 'id')}"] = note
    return found


def test_each_open_question_is_listed_with_a_link_to_its_place(html: Path) -> None:
    epilogue = BeautifulSoup((html / "book/epilogue.html").read_text(), "html.parser")
    listed = epilogue.select("#open-questions > ul > li")
    expected = notes(html)
    assert [attribute(first(item, "a"), "href") for item in listed] == list(expected)
    for item, note in zip(listed, expected.values(), strict=True):
        question = words(note).removeprefix("Open question ")
        assert words(item).partition(": ")[2] == question
        assert "?" in question and question.endswith(".")  # what would settle it


def test_no_chapter_says_in_its_text_that_we_do_not_know() -> None:
    texts = {chapter: (ROOT / f"{item.page}.md").read_text() for chapter, item in chapters().items()}
    assert [chapter for chapter, text in texts.items() if "e don't know" in text] == []


@pytest.mark.sampled()
@pytest.mark.parametrize(("width", "beside"), [(1600, True), (1280, True), (390, False)])
def test_a_note_is_beside_the_text_where_there_is_room(site: str, browser: "Browser", width: int, beside: bool) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(f"{site}/book/races.html")
    note = page.locator("aside.open-question").first.bounding_box()
    text = page.locator("#rare-collisions > p").last.bounding_box()
    assert note is not None and text is not None
    assert (note["x"] >= text["x"] + text["width"]) == beside
    assert note["x"] + note["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()
