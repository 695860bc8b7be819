"""Can a reader change a listing in its page, run it with the launch that the book uses, and see what came of it?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import inputs
import numpy as np
import pytest
from accessibility import find_violations
from book_pages import ROOT
from browsing import CHROMIUM, watch
from course_book import kernels
from course_page.in_page.cases import pack_launch, unpack_launch
from course_page.in_page.running import run_kernel
from course_page.listings import FIELDS, listings_of, record_listing
from playwright.sync_api import Browser, Locator, Page

from autograder.cuda.backends import emulator
from autograder.cuda.core.findings import Kind
from autograder.cuda.core.run import Counts
from autograder.cuda.report.kinds import checks_of_runs, kinds
from autograder.exercises.report import NOT_COMPARED, claim, claim_of_run

pytestmark = [inputs.book]
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
PATIENCE = 240_000  # milliseconds; only a failure takes as long
PAGES = sorted(path.stem for path in ROOT.glob("book/*.md") if "{kernel-" in path.read_text())


@pytest.fixture
def page(browser: Browser, html: Path) -> Iterator[Page]:
    if not (html / "_static/page/worker.js").exists():
        pytest.skip("the book was built without npm's packages")
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    page.context.close()


def test_listings_can_be_tried(html: Path) -> None:
    files = listings_of(html)
    assert {"rotate.cu", "rotate_rounds.cu", "findings/race.cu"} <= files
    assert "banks/polynomials_wide_swizzled.cu" in files  # two of its lines are shown
    assert {"bulk_copies/sum_async.cu", "bulk_copies/sum_bulk.cu", "tensor_cores/06_wgmma.cu"} <= files
    if (html / "_static/page/worker.js").exists():
        written = {str(path.relative_to(html / "_static/page/listings")) for path in html.rglob("listings/**/*.json")}
        assert written == {file.replace(".cu", ".json") for file in files}


def test_a_listing_is_launched_as_in_the_book() -> None:
    kernel = kernels.read("copy_stride.cu")
    recorded = record_listing(kernel)
    assert [item["label"] for item in recorded["launches"]] == list(kernel.launches)
    for item, launch in zip(recorded["launches"], kernel.launches.values(), strict=True):
        again = unpack_launch(item["launch"])
        assert {word: again[word] for word in ("grid", "block")} == {word: launch[word] for word in ("grid", "block")}
        assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(again["args"], launch["args"], strict=True))
    last = list(kernel.launches)[-1]
    sectors = recorded["launches"][-1]["counts"]["global_load_sectors"]
    assert sectors == kernels.counts(kernel.file, 0, last).global_load_sectors
    assert set(FIELDS) <= set(vars(Counts()))


def test_arguments_are_named_in_the_words_of_cuda() -> None:
    (recorded,) = record_listing(kernels.read("fold.cu"))["launches"]
    assert recorded["args"] == ["float[256]", "float[256]"] and recorded["wrong"]


def test_a_run_shows_what_it_wrote_and_a_film() -> None:
    launch = json.dumps(pack_launch({"grid": 1, "block": 32, "args": [np.zeros(40, np.float32)]}))
    reported = json.loads(run_kernel("__global__ void two(float* x) { x[threadIdx.x] = 2; }", "two", launch))
    assert reported["outputs"] == [{"name": "x", "size": 40, "values": ["2"] * 32 + ["0"] * 8}]
    assert reported["right"] and "<svg" in reported["film"]
    reported = json.loads(run_kernel("__global__ void two(float* x) { x[0] = 2; }", "two", launch))
    assert not reported["right"] and "<svg" in reported["film"]
    reported = json.loads(run_kernel("__global__ void two(float* x) { x[y] = 2; }", "two", launch))
    assert "undeclared identifier" in reported["shown"][0]["html"] and not reported["outputs"]


def test_nothing_is_said_of_results_that_nobody_compares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulator, "MAX_BLOCK_STEPS", 10_000)
    launch = json.dumps(pack_launch({"grid": 1, "block": 32, "args": [np.zeros(32, np.float32)]}))
    source = "__global__ void one(float* x) { do x[threadIdx.x] = 1; while (AGAIN); }"
    reported = json.loads(run_kernel(source.replace("AGAIN", "true"), "one", launch))
    assert "one runs to its end: FAILED" in reported["shown"][0]["html"]
    reported = json.loads(run_kernel(source.replace("AGAIN", "false"), "one", launch))
    assert reported["shown"][-1]["text"] == NOT_COMPARED
    assert "matches numpy" not in str(reported)


def open_listing(page: Page, file: str) -> Locator:
    """The last listing of a file on the page, with its editor open."""
    listing = page.locator(f'[data-listing="{file}"]').last
    listing.get_by_role("button", name="Try").click()
    listing.locator(".cm-content").wait_for()
    return listing


def text(listing: Locator) -> str:
    return "\n".join(line.rstrip("\n") for line in listing.locator(".cm-line").all_inner_texts())


def run(listing: Locator) -> str:
    """What the page says of a run, when it is done."""
    listing.get_by_role("button", name="Run").click()  # which is disabled at once; a short run may be over by now
    listing.locator(".answer-check[aria-disabled=false]").wait_for()
    # On the landing page, the report stands beside the listing.
    beside = listing.locator("xpath=ancestor::*[contains(@class, 'bug-and-report')]").locator(".tried-here")
    results = beside if beside.count() else listing.locator(".answer-results")
    return results.inner_text() or listing.locator(".answer-status").inner_text()


@pytest.mark.rare
@in_browser
def test_a_listing_is_broken_run_and_mended(page: Page, site: str) -> None:
    wrong = watch(page, site)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(f"{site}/book/barriers.html")
    page.get_by_role("button", name="Try it").first.wait_for()
    loaded = [Path(urlsplit(url).path).name for url in requested if "/page/" in url]
    assert {name for name in loaded if not name.endswith(".woff2")} == {"font.css", "listings.js", "page.css"}

    listing = open_listing(page, "rotate_rounds.cu")
    whole = kernels.read("rotate_rounds.cu").source.rstrip("\n")
    assert text(listing) == whole
    listing.locator("xpath=..").locator(".ks-switches input").first.click()  # the editor follows
    assert text(listing) == "\n".join(line for line in whole.split("\n") if "barrier 1:" not in line)
    message = run(listing)
    assert "rotate_rounds has no races: FAILED" in message and "tile[(t + 32) % 128]" in message
    assert listing.locator("tr.changed", has_text="barriers").inner_text().split() == ["barriers", "512", "256"]
    assert listing.locator(".answer-results svg").count() and "of out after the launch" in message
    assert not find_violations(page)

    listing.get_by_role("button", name="Undo").click()
    assert text(listing) == whole
    assert listing.locator(".answer-results.of-earlier-text").count()
    assert listing.locator(".answer-status").inner_text() == "These results are from before your last change."
    message = run(listing)
    assert "rotate_rounds has no races: passed in 1 case" in message and "FAILED" not in message
    row = listing.locator("tr.changed", has_text="barriers").inner_text().split()
    assert row == ["barriers", "512", "256", "512"]  # in the book, in the run before, now
    block = listing.get_by_label("block", exact=True)
    block.fill("x")
    listing.get_by_role("button", name="Run").click()
    assert "The block must be one to three integers" in listing.locator(".answer-status").inner_text()
    block.fill("64")
    assert listing.locator(".answer-results.of-earlier-text").count()
    assert "block=64" in run(listing)
    block.fill("128")

    listing.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\nint x = y;")
    assert "use of undeclared identifier 'y'" in run(listing)

    listing.get_by_role("button", name="Close").click()
    assert not listing.locator(".cm-content").count() and listing.locator("pre").first.is_visible()
    assert not wrong


@pytest.mark.rare
@in_browser
def test_a_part_opens_as_its_whole_kernel(page: Page, site: str) -> None:
    page.goto(f"{site}/book/reductions.html")
    listing = page.locator('[data-listing="reductions/largest_neighbors.cu"]')
    whole = kernels.read("reductions/largest_neighbors.cu").source.rstrip("\n")
    assert "__global__" in whole and "__global__" not in listing.locator("pre").inner_text()
    listing.get_by_role("button", name="Try the whole kernel").click()
    listing.locator(".cm-content").wait_for()
    assert text(listing) == whole
    page.keyboard.type("// mine")  # by keys: "/" is one of the theme's, too
    assert text(listing) == f"// mine{whole}"
    listing.get_by_role("button", name="Reset").click()
    assert text(listing) == whole
    listing.get_by_role("button", name="Close").click()
    assert listing.locator("pre").is_visible()


@in_browser
def test_a_browser_that_cannot_run_kernels_is_told(page: Page, site: str) -> None:
    page.add_init_script("delete WebAssembly.Suspending")
    page.goto(f"{site}/book/barriers.html")
    page.get_by_role("button", name="Try it").first.click()
    page.get_by_text("Chrome or Edge from version 137 on, or Firefox from 153 on").wait_for()


@in_browser
@pytest.mark.rare
@pytest.mark.parametrize("name", PAGES)
def test_each_listing_as_it_stands_says_what_the_build_found(name: str, page: Page, site: str) -> None:
    page.goto(f"{site}/book/{name}.html")
    page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
    for file in page.evaluate("[...document.querySelectorAll('[data-listing]')].map((one) => one.dataset.listing)"):
        listing = open_listing(page, file)
        message, kind = run(listing), kernels.read(file).finds[0]
        if not kind:
            assert "FAILED" not in message and all(f"{claim(check)}:" in message for check in checks_of_runs()), (
                file,
                message,
            )
        elif Kind(kind) not in (Kind.COMPILE_ERROR, Kind.FORBIDDEN_CODE):
            assert f"{claim_of_run(kinds()[Kind(kind)].check)}: FAILED" in message, (file, message)
        listing.get_by_role("button", name="Close").click()
