"""Does a page say what it is about, and does its sidebar show the exercises of its own chapter alone?"""

from __future__ import annotations

import struct
from pathlib import Path
from unittest.mock import Mock

import inputs
import pytest
from book_pages import ROOT, attribute, first
from browsing import CHROMIUM
from bs4 import BeautifulSoup
from course_book import social_picture
from playwright.sync_api import Browser

from autograder.exercises.authoring.repository import book_address

pytestmark = inputs.book


def meta(page: BeautifulSoup, name: str) -> str:
    return attribute(first(page, f'meta[name="{name}"], meta[property="{name}"]'), "content")


def test_every_page_says_what_it_is_about(html: Path) -> None:
    seen = set()
    for path in sorted([*html.glob("book/*.html"), *html.glob("exercises/*/*.html")]):
        head = BeautifulSoup(path.read_text().partition("</head>")[0], "html.parser")
        about = meta(head, "description")
        assert 40 < len(about) <= 200 and "\n" not in about, path
        assert not (path.parent.name == "book" and about.endswith("..."))  # the landing page shows it for each chapter
        assert meta(head, "og:description") == about
        assert meta(head, "og:site_name") == "How CUDA Threads Cooperate"
        assert meta(head, "og:title") in first(head, "title").get_text(), path
        assert meta(head, "og:url") == f"{book_address(ROOT)}/{path.relative_to(html)}"
        seen.add(about)
    assert len(seen) > 60  # no two pages say the same


def test_a_link_to_any_page_is_shown_with_the_picture(html: Path) -> None:
    addresses = {f"{book_address(ROOT)}/_static/{picture.name}" for picture in (html / "_static").glob("social-*.png")}
    assert len(addresses) <= 1  # none in a book that was made where there is no browser
    for name in ("book/index", "exercises/barriers/missing_barrier"):
        head = BeautifulSoup((html / f"{name}.html").read_text().partition("</head>")[0], "html.parser")
        assert {str(item["content"]) for item in head.select('meta[property="og:image"]')} == addresses
        sides = [item["content"] for item in head.select('meta[property^="og:image:"]')]
        assert sides == (["1200", "630"] if addresses else [])


@pytest.mark.rare
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
def test_the_picture_has_the_size_that_sites_ask_for(tmp_path: Path) -> None:
    app = Mock(outdir=tmp_path, **{"builder.format": "html", "config.html_title": "How CUDA Threads Cooperate"})
    assert social_picture.address(tmp_path, app.config.html_title) == ""
    social_picture.paint(app)
    data = (tmp_path / social_picture.address(tmp_path, app.config.html_title)).read_bytes()
    assert data[:4] == b"\x89PNG" and struct.unpack(">II", data[16:24]) == (1200, 630)
    assert 10_000 < len(data) < 300_000  # neither blank nor too large for those who show it


def test_the_sidebar_shows_the_exercises_of_this_chapter(html: Path) -> None:
    for name in ("book/barriers", "exercises/barriers/missing_barrier"):
        page = BeautifulSoup((html / f"{name}.html").read_text(), "html.parser")
        chapters = page.select("nav.bd-links li.toctree-l1.has-children")
        opened = [first(item, "a").get_text() for item in chapters if first(item, "details").has_attr("open")]
        assert len(chapters) > 10 and opened == ["5. Barriers"]


@pytest.mark.rare
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
def test_what_goes_on_to_the_right_fades_and_has_an_arrow_until_it_ends(site: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{site}/book/banks.html")
    figure, listing = page.locator(".kf-scroll").first, page.locator("[data-listing] pre").first
    arrow = "(it) => getComputedStyle(it, '::before').content"
    for item in (figure, listing):
        item.and_(page.locator(".goes-on")).wait_for(state="attached")
        assert item.evaluate(arrow).startswith('"\N{RIGHTWARDS ARROW}"')
        item.evaluate("(it) => it.scrollTo(it.scrollWidth, 0)")
        item.and_(page.locator(":not(.goes-on)")).wait_for(state="attached")
        assert item.evaluate(arrow) == "none"
    page.close()


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
def test_bars_and_lines_fit_a_phone(site: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{site}/book/towards-cublas.html")
    for kind in ("bars", "lines"):
        figure = page.locator(f".measured-{kind} .kf-scroll").first
        assert figure.evaluate("one => one.scrollWidth <= one.clientWidth"), kind
    page.close()
