"""Does the page remember what a reader has done, and lead on from there?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import inputs
import pytest
from accessibility import find_violations
from browsing import CHROMIUM, failures, watch
from playwright.sync_api import Browser, Locator, Page
from test_page_browser import NO_COMPILER, PATIENCE, editor_text, open_editor, result, solution_of, write

pytestmark = [inputs.book, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]
NAME = "threads/saxpy"


@pytest.fixture
def page(browser: Browser, site: str, html: Path) -> Iterator[Page]:
    if not (html / "_static/page/worker.js").exists():
        pytest.skip("the book was built without npm's packages")
    page = browser.new_context(accept_downloads=True).new_page()
    yield page
    page.context.close()


def mark(page: Page, address: str) -> Locator:
    """The mark at the sidebar's link whose address ends in `address`."""
    return page.locator(f".bd-links a[href$='{address}'] .progress-mark").first


def test_work_is_remembered_and_leads_on(page: Page, site: str, tmp_path: Path) -> None:
    wrong = watch(page, site)
    open_editor(page, site, NAME)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.get_by_role("button", name="Check").click()  # the stub
    page.locator(".answer-status", has_text="Nothing is written yet").wait_for()
    assert not [url for url in requested if url.endswith("worker.js")]
    write(page, f"{editor_text(page)}// mine")
    page.get_by_role("button", name="Check").click()
    assert result(page).startswith("0 of 10")
    waiting = page.locator(".answer-waiting summary")
    assert waiting.inner_text().startswith("5 checks wait until this is fixed")
    assert page.locator(".answer-result:visible").count() == 1  # nothing is said twice
    right = solution_of(NAME)["answer"]
    write(page, right)
    page.get_by_role("button", name="Check").click()
    page.locator(".answer-status.all-points").wait_for(timeout=PATIENCE)
    exercise, chapter = page.locator(".answer-ways a").all()
    assert str(exercise.evaluate("one => one.href")).endswith("/exercises/threads/branchless_sum.html")
    assert str(chapter.evaluate("one => one.href")).endswith("/book/programs.html")
    assert page.locator(".bd-links .current > a .progress-mark.solved").count() == 1
    assert not find_violations(page)

    fold = page.locator(".answer-solutions")
    fold.locator("summary").first.click()
    fold.locator("tr", has_text="global load sectors").wait_for(timeout=PATIENCE)
    assert right.split("\n")[-3].strip() in fold.locator("pre").nth(1).inner_text()
    assert not find_violations(page)

    requested.clear()
    page.reload()
    assert result(page).startswith("10 of 10 points.")
    assert not [url for url in requested if url.endswith("worker.js")]
    assert page.locator(".answer-result").count() > 5
    assert editor_text(page) == right.rstrip("\n")
    page.locator(".answer-tries summary", has_text="Your 2 tries").click()
    page.get_by_role("button", name="Undo").click()
    assert "YOUR CODE HERE" in editor_text(page)  # an edit of before the reload
    assert result(page).startswith("For an earlier version: 10 of 10")
    page.get_by_role("button", name="Put it into the editor").first.click()
    assert editor_text(page) == right.rstrip("\n")

    page.goto(f"{site}/book/threads.html")
    assert mark(page, "threads/saxpy.html").inner_text().startswith("✓")
    page.locator("article > section > :last-child").first.scroll_into_view_if_needed()
    page.wait_for_function("localStorage.getItem('read book/threads')")
    page.locator(".next-chapter a").click()
    assert page.url.endswith("/book/programs.html")
    assert mark(page, "threads.html").inner_text().startswith("1/2")
    page.goto(f"{site}/book/index.html")
    page.locator(".go-on a").click()
    assert page.url.endswith("/book/programs.html")

    page.goto(f"{site}/book/your-progress.html")
    table = page.locator("#your-record table")
    assert table.get_by_text("1 of 2 exercises solved").count() == 1
    assert not find_violations(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    download.value.save_as(tmp_path / "saved.json")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete everything").click()
    page.locator(".yours-status", has_text="Deleted").wait_for()
    assert not page.locator(".progress-mark.solved").count()
    for text, says in (("{}", "was not saved by this page"), (None, "are in this browser now")):
        file = tmp_path / "saved.json"
        if text is not None:
            file = tmp_path / "other.json"
            file.write_text(text)
        page.locator("#your-record input[type=file]").set_input_files(file)
        page.locator(".yours-status", has_text=says).wait_for()
    assert table.locator("a[href$='threads/saxpy.html'] .solved").count() == 1
    page.goto(f"{site}/exercises/{NAME}.html")
    assert result(page).startswith("10 of 10 points.")
    assert not failures(wrong)


def test_the_second_stop_of_tab_leads_to_the_answer(page: Page, site: str) -> None:
    page.goto(f"{site}/exercises/{NAME}.html")
    page.locator(".answer-panel").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator(".answer-write:focus").wait_for(timeout=10_000)


def test_results_of_an_earlier_edition_say_so(page: Page, site: str) -> None:
    page.add_init_script(NO_COMPILER)
    open_editor(page, site, NAME)
    before = {"checked": {"answer": ""}, "shown": [], "points": 8, "most": 10, "edition": "1-1"}
    store = """before => new Promise((done) => {
        const opening = indexedDB.open("keyval-store");
        opening.onsuccess = () => {
            const writing = opening.result.transaction("keyval", "readwrite");
            writing.objectStore("keyval").put(before, "results exercises/threads/saxpy saxpy");
            writing.oncomplete = done;
        };
    })"""
    page.evaluate(store, before)
    page.reload()
    assert result(page).startswith("For an earlier version: For an earlier edition of this exercise: 8 of 10")


def test_a_check_is_stopped_at_once_and_begun_again(page: Page, site: str) -> None:
    open_editor(page, site, NAME)
    write(page, solution_of(NAME)["answer"])
    page.get_by_role("button", name="Check").click()
    page.get_by_role("button", name="Stop").click()
    page.locator(".answer-status", has_text="Stopped.").wait_for()
    assert not page.get_by_role("button", name="Stop").is_visible()
    page.get_by_role("button", name="Check").click()
    page.locator(".answer-status", has_text="Checking: ").wait_for(timeout=PATIENCE)
    assert result(page).startswith("10 of 10 points.")


def test_what_somebody_else_has_stored_does_no_harm(page: Page, site: str) -> None:
    wrong = watch(page, site)
    page.goto(f"{site}/book/threads.html")
    strange = {"progress exercises/threads/saxpy": "[1", "last": json.dumps({"page": 3}), "read book/threads": "{"}
    page.evaluate("given => Object.entries(given).forEach(([key, value]) => localStorage.setItem(key, value))", strange)
    page.goto(f"{site}/book/index.html")
    assert not page.locator(".go-on").count()
    page.goto(f"{site}/book/threads.html")
    assert not page.locator(".progress-mark").count()
    assert not failures(wrong)
