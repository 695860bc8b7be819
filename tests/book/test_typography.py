"""Is the text easy to read: its font, the length of its lines, and what is beside it, on screens and on paper?"""

from __future__ import annotations

import inputs
import pytest
from browsing import CHROMIUM, box_of, watch
from playwright.sync_api import Browser, Page

pytestmark = [inputs.book, pytest.mark.rare, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]
PAGES = ("book/memory", "book/towards-cublas", "exercises/threads/saxpy")
#: Characters in each full line of the text's paragraphs, sorted.
LINES = """() => {
    const all = [];
    for (const one of document.querySelectorAll("article section > p")) {
        const rows = one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight);
        if (rows > 2.5) all.push(one.innerText.length / (Math.round(rows) - 0.5)); // the last is half full
    }
    return all.sort((a, b) => a - b);
}"""


def open_page(browser: Browser, site: str, name: str, width: int) -> Page:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(f"{site}/{name}.html", wait_until="load")
    page.evaluate("document.fonts.ready")
    return page


@pytest.mark.parametrize("width", [768, 1280, 1920])
def test_a_line_has_some_70_characters(site: str, browser: Browser, width: int) -> None:
    for name in PAGES:
        page = open_page(browser, site, name, width)
        lines = page.evaluate(LINES)
        assert len(lines) > 3
        assert 65 <= lines[len(lines) // 2] <= 75, (name, lines)
        page.close()


@pytest.mark.parametrize("width", [1280, 1920])
def test_figures_listings_and_tables_have_more_room_than_text(site: str, browser: Browser, width: int) -> None:
    page = open_page(browser, site, "book/memory", width)
    text = box_of(page.locator("article section > p").first)["width"]
    for wide in (".literal-block-wrapper", "figure.kernel-figure"):
        assert box_of(page.locator(wide).first)["width"] > 1.15 * text
    page.close()


def test_the_font_comes_with_the_book(site: str, browser: Browser) -> None:
    page = browser.new_page()
    wrong = watch(page, site)
    page.goto(f"{site}/book/memory.html", wait_until="load")
    faces = "[...document.fonts].filter((one) => one.family.includes('Inter')).map((one) => one.status)"
    page.wait_for_function(f"({faces}).includes('loaded')")
    family = page.locator("article p").first.evaluate("one => getComputedStyle(one).fontFamily")
    assert family.startswith(("Inter", '"Inter"'))
    assert page.request.get(f"{site}/_static/page/inter/LICENSE").text().count("SIL OPEN FONT LICENSE") == 1
    assert not wrong
    page.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_buttons_of_the_bar_are_of_one_size_on_one_line(site: str, browser: Browser, width: int) -> None:
    page = open_page(browser, site, "book/memory", width)
    boxes = [
        box_of(icon)
        for icon in page.locator(".bd-header-article .btn > i:visible, .bd-header-article .btn i:visible").all()
    ]
    assert len(boxes) >= 3
    assert max(box["height"] for box in boxes) - min(box["height"] for box in boxes) <= 2
    centers = [box["y"] + box["height"] / 2 for box in boxes]
    assert max(centers) - min(centers) <= 2
    page.close()


def test_paper_has_the_title_with_its_number_and_what_a_caption_names(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "book/barriers", 1280)
    page.emulate_media(media="print")
    titles = [title.inner_text() for title in page.locator("h1:visible").all()]
    assert len(titles) == 1 and titles[0].endswith(". Barriers") and titles[0][0].isdigit()
    assert page.locator("h1:visible").evaluate("one => getComputedStyle(one).textAlign") != "center"
    figure = page.locator(
        "figure.timeline, figure.kernel-figure", has=page.locator("figcaption", has_text="The boxes are")
    ).first
    assert figure.locator(".tl-cells i").first.is_visible()
    page.close()


def test_the_arrow_of_what_goes_on_hides_no_code(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "book/index", 390)
    listing = page.locator("pre.goes-on").first
    arrow = "(one, name) => parseFloat(getComputedStyle(one, '::before')[name])"
    height, above, below = (listing.evaluate(arrow, name) for name in ("height", "marginTop", "marginBottom"))
    padding = listing.evaluate("one => parseFloat(getComputedStyle(one).paddingTop)")
    assert height + above + below == pytest.approx(0, abs=0.1) and height <= padding <= -above + 2
    page.close()


def test_paper_may_break_a_long_answer_and_keeps_a_short_listing(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "exercises/barriers/missing_barrier", 1280)
    page.emulate_media(media="print")
    answer = page.locator("article pre", has_text="%%cuda missing_barrier").first
    around = """one => {
        const all = [];
        for (; one.tagName !== "SECTION"; one = one.parentElement) {
            const { breakInside, display, overflow } = getComputedStyle(one);
            all.push([breakInside, display, overflow].join(" "));
        }
        return all;
    }"""
    assert set(answer.evaluate(around)) == {"auto block visible"}
    assert answer.evaluate("one => [getComputedStyle(one).orphans, getComputedStyle(one).widows]") == ["8", "8"]
    page.close()
