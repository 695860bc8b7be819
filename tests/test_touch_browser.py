"""Can what the book lets a reader touch be used: by pointer, keyboard and finger, with scripts and without?"""

import json

import pytest
from book_pages import html  # noqa: F401
from playwright.sync_api import Browser, Locator, Page
from test_book_browser import CHROMIUM, browser, site, watch  # noqa: F401

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium")


def open_page(browser: Browser, site: str, name: str, **context) -> Page:  # noqa: F811
    page = browser.new_context(**context).new_page()
    page.goto(f"{site}/book/{name}.html", wait_until="networkidle")
    return page


def panel(root: Locator) -> Locator:
    """The one result that shows."""
    found = root.locator(".ks-result:visible")
    assert found.count() == 1
    return found


def test_every_combination_shows_its_own_result(site, browser):  # noqa: F811
    page = open_page(browser, site, "10-atomics")
    wrong = watch(page, site)
    root = page.locator(".ks").first
    boxes = root.locator("input[type=checkbox]")
    states = json.loads(root.locator(".ks-box").get_attribute("data-states"))
    assert len(states) == 16 and boxes.count() == 4
    for bits, (number, sentence) in enumerate(states):
        for i in range(4):
            boxes.nth(i).set_checked(not bits >> i & 1)
        assert root.locator(".ks-now").inner_text() == sentence
        assert panel(root).evaluate("one => [...one.parentNode.querySelectorAll('.ks-result')].indexOf(one)") == number
        assert root.locator(".ks-off").count() == bits.bit_count()
    assert not wrong  # among them: a request
    page.context.close()


def test_the_line_is_struck_out_or_replaced_and_keeps_its_number(site, browser):  # noqa: F811
    page = open_page(browser, site, "02-shared-memory")
    root = page.locator(".ks").first
    guard, barrier = root.locator(".hll").nth(0), root.locator(".hll").nth(1)
    numbers = root.locator("pre .linenos").all_inner_texts()
    root.get_by_label("the guard at the loading").uncheck()
    root.get_by_label("the barrier").uncheck()
    for line in (guard, barrier):
        struck = line.locator(".ks-old")
        assert "line-through" in struck.evaluate("one => getComputedStyle(one).textDecorationLine")
    assert guard.locator(".ks-new").inner_text().split() == ["+", "if", "(true)"]
    assert barrier.locator(".ks-new").count() == 0
    shown = [text for text in root.locator("pre .linenos:visible").all_inner_texts() if "+" not in text]
    assert shown == [text for text in numbers if "+" not in text]
    # What is copied is what runs.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    root.locator("pre").hover()
    root.locator("button.copybtn").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "if (true)" in copied and "__syncthreads" not in copied and copied.count("if (t < n)") == 1
    page.context.close()


def test_the_keyboard_and_a_click_on_the_line_do_the_same(site, browser):  # noqa: F811
    page = open_page(browser, site, "03-barriers")
    root = page.locator(".ks").first
    box = root.get_by_role("checkbox", name="barrier 2")
    box.focus()
    page.keyboard.press("Space")
    assert root.locator(".ks-now").inner_text() == "Without barrier 2: a data race."
    assert root.get_by_role("status").first.inner_text() == "Without barrier 2: a data race."
    assert panel(root).locator(".ag-title").inner_text() == "rotate_rounds has no races: FAILED"
    assert root.locator("circle.tl-race:visible").count() == 2
    root.locator(".hll").nth(1).click()
    assert box.is_checked()
    assert root.locator("circle.tl-race:visible").count() == 0
    assert root.locator(".ks-drawing:visible line.tl-barrier").count() == 4
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_switches_are_large_enough_for_a_finger_and_fit_a_phone(site, browser, scheme):  # noqa: F811
    page = open_page(
        browser, site, "07-stencils", viewport={"width": 390, "height": 844}, has_touch=True, color_scheme=scheme
    )
    root = page.locator(".ks").first
    for label in root.locator("label").all():
        box = label.bounding_box()
        assert box["height"] >= 38 and box["width"] >= 44
        label.tap()
    assert root.locator("input:checked").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.context.close()


def test_without_scripts_every_result_can_be_unfolded(site, browser):  # noqa: F811
    page = open_page(browser, site, "03-barriers", java_script_enabled=False)
    root = page.locator(".ks").first
    assert root.locator("input:visible").count() == 0
    assert root.locator(".report.clean:visible").count() == 1
    folded = root.locator("details")
    assert folded.count() == 3
    assert not folded.first.locator(".report").is_visible()
    folded.first.locator("summary").click()
    assert folded.first.locator(".report").is_visible()
    page.context.close()


def test_on_paper_each_line_has_its_result_and_no_switch(site, browser):  # noqa: F811
    page = open_page(browser, site, "03-barriers")
    page.emulate_media(media="print")
    root = page.locator(".ks").first
    assert root.locator("input:visible").count() == 0
    assert root.locator(".ks-result:visible .ks-head").all_inner_texts() == [
        "The whole kernel: nothing found",
        "Without barrier 1: a data race",
        "Without barrier 2: a data race",
    ]
    page.context.close()
