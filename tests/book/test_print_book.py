"""Is the printed book whole: its text, its outline, its contents, and its figures in one piece?"""

import re
import shutil
from collections import Counter
from pathlib import Path

import inputs
import print_book
import pytest
from book_pages import all_pages, first
from browsing import CHROMIUM
from bs4 import BeautifulSoup
from playwright.sync_api import Browser
from pypdf import PdfReader
from pypdf.generic import Destination

from autograder.cuda.report.chapters import chapters

pytestmark = inputs.book

NAMES = ["book/shared-memory", "exercises/shared_memory/reverse_static"]
CHAPTER = f"{chapters()['shared-memory'].number}. Shared memory"
EXERCISE = "Reverse in place, piece by piece"
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no chromium")


@pytest.fixture(scope="module")
def printed(html: Path, tmp_path_factory: pytest.TempPathFactory) -> PdfReader:
    pdf = tmp_path_factory.mktemp("printed") / "book.pdf"
    print_book.print_book(html, pdf, NAMES)
    assert list((html / "book").glob("tmp*")) == []  # nothing is left beside the pages
    return PdfReader(pdf)


def words(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def letters(text: str) -> str:
    """Without spaces, of which a PDF knows only how wide they are."""
    return re.sub(r"\s", "", text)


@pytest.mark.rare
@needs_chromium
def test_the_contents_say_where_each_page_begins(printed: PdfReader) -> None:
    assert printed.metadata is not None and printed.metadata.title == "How CUDA Threads Cooperate"
    contents = words(printed.pages[0].extract_text())
    numbers = re.findall(rf"({re.escape(CHAPTER)}|{EXERCISE}) (\d+)", contents)
    assert [name for name, _ in numbers] == [CHAPTER, EXERCISE]
    for name, number in numbers:
        text = words(printed.pages[int(number) - 1].extract_text())
        assert name in text and text.endswith(f" {number}")
    assert words(printed.pages[int(numbers[0][1]) - 1].extract_text()).startswith(CHAPTER)  # on a sheet of its own


@pytest.mark.rare
@needs_chromium
def test_the_outline_is_that_of_the_headings(printed: PdfReader, html: Path) -> None:
    chapter, below = printed.outline[0], printed.outline[1]
    assert isinstance(chapter, Destination) and chapter.title == CHAPTER
    assert isinstance(below, list)
    titles = [item.title for item in below if not isinstance(item, list)]
    soup = BeautifulSoup((html / f"{NAMES[0]}.html").read_text(), "html.parser")
    headings = [item.find(string=True, recursive=False) for item in soup.select("article h2")]
    # The exercise stands below its chapter.
    assert titles == [*headings, EXERCISE]


@pytest.mark.rare
@needs_chromium
def test_answers_are_open_and_figures_whole(printed: PdfReader, html: Path) -> None:
    sheets = [letters(page.extract_text()) for page in printed.pages]
    soup = BeautifulSoup((html / f"{NAMES[0]}.html").read_text(), "html.parser")
    answers = soup.select("details.sd-dropdown .sd-card-text")
    assert len(answers) > 3
    for answer in answers:
        assert letters(answer.get_text())[:40] in "".join(sheets)
    for figure in soup.select("figure.kernel-figure"):
        label = letters(first(figure, "svg text").get_text())
        caption = letters(first(figure, ".caption-text, figcaption").get_text())[:40]
        assert any(label in sheet and caption in sheet for sheet in sheets)


@pytest.mark.rare
@needs_chromium
def test_what_others_say_already_is_left_out(printed: PdfReader, html: Path) -> None:
    """Of switches, the results of several at a time; of an exercise, the cells that its table of checks tells of."""
    text = letters("".join(page.extract_text() for page in printed.pages))
    soup = BeautifulSoup((html / f"{NAMES[0]}.html").read_text(), "html.parser")
    heads = {
        letters(first(item, ".ks-head").get_text()): "ks-still" in item["class"] for item in soup.select(".ks-result")
    }
    assert {head: head in text for head in heads} == heads and len(set(heads.values())) == 2
    assert "%%cudareverse_static" in text and "check(" not in text


def test_links_lead_to_the_printed_place(tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "a.html").write_text(
        '<article><h1>A</h1><a href="b.html#x">1</a><a href="#y">2</a><a href="c.html">3</a><a href="../b/d.html">4</a>'
        '<p id="y" aria-describedby="x y">5</p><rect fill="url(#y)"></rect></article>'
    )
    found = print_book.article(tmp_path, "book/a", ["book/a", "book/b", "b/d"])
    assert [item.get("href") for item in found("a")] == ["#book-b--x", "#book-a--y", None, "#b-d"]
    assert first(found, "p")["id"] == "book-a--y" and first(found, "p")["aria-describedby"] == "book-a--x book-a--y"
    assert first(found, "rect")["fill"] == "url(#book-a--y)"


def test_without_a_book_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name)
    with pytest.raises(SystemExit, match="run make course"):
        print_book.print_book(tmp_path, tmp_path / "a.pdf")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match="apt install chromium"):
        print_book.print_book(tmp_path, tmp_path / "a.pdf")


def test_the_pages_are_those_of_the_toc() -> None:
    names = print_book.in_order()
    assert (names[0], names[-1]) == ("book/index", "book/glossary")
    assert names.index("exercises/threads/saxpy") == names.index("book/threads") + 1


@pytest.mark.rare
def test_the_whole_book_has_every_page_and_a_place_for_each_link(html: Path) -> None:
    names = print_book.in_order()
    there = {str(path.relative_to(html).with_suffix("")) for path in all_pages(html)}
    assert {name for name in there if re.match(r"book/|exercises/", name)} == set(names)
    text = print_book.whole(html, [print_book.article(html, name, names) for name in names], {"book-barriers": 52})
    ids = Counter(re.findall(r'\bid="([^"]+)"', text))
    assert [name for name, times in ids.items() if times > 1] == []
    assert {to for to in re.findall(r'href="#([^"]*)"', text) if to not in ids} == set()
    rows = re.findall(r'<li class="(?:part|exercise)"><a href="#([^"]+)">([^<]+)</a><span>(\d*)</span></li>', text)
    assert [to for to, _, _ in rows] == [print_book.mark(name) for name in names]
    assert ("book-barriers", f"{chapters()['barriers'].number}. Barriers", "52") in rows


@pytest.mark.rare
@needs_chromium
def test_a_dark_page_is_printed_light(site: str, browser: Browser) -> None:
    page = browser.new_page(color_scheme="dark")
    page.goto(f"{site}/book/glossary.html")
    theme = "document.documentElement.dataset.theme"
    assert page.evaluate(theme) == "dark"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(theme) == "light"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(theme) == "dark"
    page.close()
