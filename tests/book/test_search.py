"""Does the book's search find what readers look for, as they spell it?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import inputs
import pytest
from accessibility import find_violations
from browsing import CHROMIUM, failures, watch
from playwright.sync_api import Browser, Page

pytestmark = [inputs.book, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]


@pytest.fixture
def page(browser: Browser, site: str, html: Path) -> Iterator[Page]:
    if not (html / "_static/page/search.js").exists():
        pytest.skip("the book was built without npm's packages")
    page = browser.new_context().new_page()
    yield page
    page.context.close()


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("syncthreads", "book/barriers.html"),
        ("__syncthreads()", "book/barriers.html"),
        ("bank conflict", "book/glossary.html#term-bank-conflict"),
        ("how to avoid races", "book/races.html"),
        ("race", "book/races.html"),
        ("gemm_tiled", "exercises/tiling/gemm_tiled.html"),
        ("deadlock", "book/appendix-findings.html#barrierdivergence"),
        ("barier", "book/barriers.html"),
        ("shared memory", "book/shared-memory.html"),
        ("Kernel.emulate", "book/appendix-api.html#autograder.Kernel.emulate"),
    ],
)
def test_the_first_result_is_the_one_that_is_meant(query: str, address: str, page: Page, site: str) -> None:
    page.goto(f"{site}/search.html?q={query}")
    first = page.locator("#search-results a").first
    first.wait_for()
    found = str(first.evaluate("one => one.href")).removeprefix(f"{site}/")
    assert found == address or ("#" not in address and found.partition("#")[0] == address)


def test_results_change_with_the_words_and_break_no_figure(page: Page, site: str) -> None:
    wrong = watch(page, site)
    page.goto(f"{site}/book/index.html")
    page.goto(f"{site}/search.html")
    field = page.locator("#book-search-field")
    field.fill("warp")
    page.locator(".found-kind h2", has_text="Chapters").wait_for()
    kinds = page.locator(".found-kind h2").all_inner_texts()
    assert {"Chapters", "Findings", "Glossary", "Exercises"} <= set(kinds)
    assert "places found." in page.locator(".book-search-status").inner_text()
    assert page.locator(".found-text mark").count()
    assert page.url.endswith("?q=warp")
    assert not find_violations(page)
    field.fill("xyzzyqwv")
    page.get_by_text("No places found.").wait_for()
    field.fill("barriers in a loop")
    page.locator("#search-results a[href*='/book/barriers.html']").first.click()
    assert page.locator("svg .highlighted").count() == 0
    assert not failures(wrong)
