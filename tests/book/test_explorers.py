"""Do the explorers agree with the emulator's counts, autograder.cuda.nvrtc.occupancy and the figures?"""

import itertools
import random
import re
from collections.abc import Iterator
from pathlib import Path

import inputs
import pytest
from book_pages import ROOT, first
from browsing import CHROMIUM
from bs4 import BeautifulSoup
from course_book import explorers, sectors, sectors_svg, traced
from playwright.sync_api import Browser, Page

from autograder.cuda.nvrtc.occupancy import GPUS, occupancy

pytestmark = inputs.book

STATIC = ROOT / "book" / "_static"
#: Set numbers like a reader, one setting after the other; return what the page then says.
TRY_ALL = """([explorer, settings, read]) => settings.map((setting) => {
    const root = document.querySelector(`[data-explorer="${explorer}"]`);
    for (const [name, value] of Object.entries(setting)) {
        const field = root.querySelector(`[name="${name}"]`);
        field.value = value;
        field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    return [...root.querySelectorAll(read)].map((found) => found.textContent);
})"""

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no chromium")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with nothing but the three explorers: its address."""
    path: Path = tmp_path_factory.mktemp("explorers") / "page.html"
    body = "".join(f"<figure>{draw(name)}</figure>" for name, draw in explorers.EXPLORERS.items())
    styles = f'<link rel="stylesheet" href="{(STATIC / "explorers.css").as_uri()}">'
    script = f'<script defer src="{(STATIC / "explorers.js").as_uri()}"></script>'
    path.write_text(f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">{styles}{script}</head>{body}</html>')
    return path.as_uri()


@pytest.fixture
def page(browser: Browser, file: str) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 400, "height": 800})
    wrong: list[str] = []
    page.on("console", lambda item: wrong.append(item.text))
    page.on("pageerror", lambda item: wrong.append(str(item)))
    page.on("request", lambda item: None if item.url.startswith("file:") else wrong.append(item.url))
    page.goto(file)
    yield page
    page.close()
    assert not wrong


def says(page: Page, explorer: str, settings: list[dict[str, int]], read: str = ".ex-says") -> list[list[str]]:
    """What the page says at each of the settings, as the texts of the elements `read`."""
    message: list[list[str]] = page.evaluate(TRY_ALL, [explorer, settings, read])
    return message


def some(control: explorers.Control, others: int, chance: random.Random) -> list[int]:
    """The ends of a control, and some numbers between."""
    return [control.least, control.most, *chance.sample(range(control.least, control.most + 1), others)]


@pytest.mark.rare
@needs_chromium
def test_sectors_are_those_that_the_emulator_counts(page: Page) -> None:
    chance = random.Random(1)
    stride, offset = explorers.CONTROLS["sectors"]
    places = [*itertools.product((0, 1, 2, 3, 8, 31, 33), (0, 1, 7))]
    places += [(chance.randint(stride.least, stride.most), chance.randint(0, offset.most)) for _ in range(9)]
    for element, (size, _) in explorers.ELEMENTS.items():
        settings = [{"size": size, "stride": s, "offset": o} for s, o in places]
        for (s, o), (message,) in zip(places, says(page, "sectors", settings), strict=True):
            assert int(message.split()[0]) == explorers.count_sectors(element, s, o), (element, s, o)


@pytest.mark.rare
@needs_chromium
def test_bytes_are_those_of_the_figures(page: Page) -> None:
    places = [*itertools.product((1, 2, 4, 8, 16), range(34), (0, 3, 16, 33))]
    settings = [{"size": size, "stride": s, "offset": o} for size, s, o in places]
    lanes = tuple(range(32))
    for (size, s, o), (message,) in zip(places, says(page, "sectors", settings), strict=True):
        array = traced.Array("in", size, (33 * 32 + 34,), "global")
        indices = tuple(s * lane + o for lane in lanes)
        request = traced.Request(array, "read", 1, 0, 0, lanes, indices)
        assert message == sectors_svg.summary(sectors.divide(request)), (size, s, o)
    assert page.locator(".ex-sector").count() == 32
    says(page, "sectors", [{"size": 8, "stride": 5, "offset": 1}])
    starts = page.locator(".ex-sector i").evaluate_all("all => all.map(one => one.style.left)")
    assert starts[:3] == ["25%", "50%", "75%"]  # of the sectors 0, 1 and 2: bytes 8, 48 and 88
    assert page.locator(".ex-sector").all_inner_texts()[:3] == ["0", "1", "2"]
    says(page, "sectors", [{"size": 4, "stride": 33, "offset": 33}])
    assert page.locator('[data-explorer="sectors"] .ex-code').text_content() == "in[33 * lane + 33]"


@pytest.mark.rare
@needs_chromium
def test_passes_are_those_that_the_emulator_counts(page: Page) -> None:
    chance = random.Random(2)
    width, padding = explorers.CONTROLS["banks"]
    places = [*itertools.product((1, 2, 8, 16, 24, 31, 32, 33, 64), (0, 1, 2))]
    places += [(chance.randint(width.least, width.most), chance.randint(0, padding.most)) for _ in range(25)]
    places.append((width.most, padding.most))
    settings = [{"width": w, "padding": p} for w, p in places]
    seen = set()
    for (w, p), (message,) in zip(places, says(page, "banks", settings), strict=True):
        column, writes, filling, words, free = map(int, re.findall(r"\d+", message))
        assert (column, writes, filling) == explorers.count_passes(w, p), (w, p)
        assert (words, free) == (32 * (w + p), 32 * p)
        seen |= {column, filling - writes}
    assert {1, 2, 32} <= seen  # conflicts of all degrees, and none
    assert page.locator(".ex-free").count() == 32 * padding.most


@pytest.mark.rare
@needs_chromium
def test_occupancy_is_that_of_the_calculator(page: Page) -> None:
    chance = random.Random(3)
    controls = explorers.CONTROLS["occupancy"]
    places = [*itertools.product(*(some(control, 6, chance) for control in controls))]
    places += [(32 * chance.randint(1, 32), 8 * chance.randint(2, 31), 512 * chance.randint(0, 64)) for _ in range(300)]
    # Just beyond the registers that are handed out together.
    places += itertools.product((64, 96, 128, 256, 512), range(25, 129, 8), (0,))
    # Where GPUs begin to differ: the last byte of a T4's, of an RTX card's, of an A100's and of an H100's block.
    places += [(128, 32, kb * 1024 + more) for kb in (64, 99, 163, 227) for more in (-1, 0, 1)]
    settings = [dict(zip(("block", "registers", "shared"), place, strict=True)) for place in places]
    limiters = set()
    for place, cells in zip(places, says(page, "occupancy", settings, ".ex-table :is(th[scope], td)"), strict=True):
        rows = [cell for row in explorers.occupancy_rows(*place) for cell in row]
        assert cells == rows, place
        limiters |= set(cells[4::5])
        for gpu, blocks in zip(GPUS.values(), cells[1::5], strict=True):
            assert int(blocks) == occupancy(gpu, *place).blocks_per_sm
    assert {"warps", "blocks", "registers", "shared memory"} <= limiters and len(limiters) > 4


@needs_chromium
def test_the_keyboard_moves_the_slider_and_the_number_follows(page: Page) -> None:
    root = page.locator('[data-explorer="banks"]')
    before = root.locator(".ex-says").text_content()
    root.get_by_role("spinbutton", name="Words in a row").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert root.locator('[name="width"]').input_value() == "33"
    assert root.locator(".ex-says").text_content() != before
    number = root.get_by_role("spinbutton", name="Free words after each row")
    number.fill("99")
    number.press("Tab")
    assert number.input_value() == "8"  # as much as there may be
    message = root.locator(".ex-says").text_content()
    number.fill("")
    assert root.locator(".ex-says").text_content() == message


@pytest.mark.rare
@needs_chromium
def test_every_control_has_a_name_and_the_result_is_read_out(page: Page) -> None:
    for control in page.locator("input, select").all():
        assert control.is_visible()
        assert control.evaluate("one => one.ariaLabel || one.labels[0]?.textContent")
    assert page.locator('.ex-says[role="status"][aria-live="polite"]:visible').count() == 3
    assert page.locator('.ex-picture[aria-hidden="true"]').count() == 2
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids)) == 8


@pytest.mark.rare
@needs_chromium
def test_no_explorer_is_wider_than_a_phone(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def still(page: Page) -> list[str]:
    """What a page shows without controls: three tables."""
    gone = "input:visible, select:visible, .ex-says:visible, .ex-code:visible, .ex-picture:visible, .kf-legend:visible"
    assert page.locator("table:visible").count() == 3 and page.locator(gone).count() == 0
    return page.locator("figure").all_inner_texts()


@pytest.mark.rare
@needs_chromium
def test_without_scripts_and_on_paper_there_is_a_table_and_nothing_to_press(
    browser: Browser, file: str, page: Page
) -> None:
    says(page, "occupancy", [{"block": 1024}])
    assert page.locator(".ex-says:visible").count() == 3 and page.locator(".ex-still:visible").count() == 0
    page.emulate_media(media="print")
    printed = still(page)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file)
    assert still(page) == printed and "256 threads in a block" in printed[2]
    context.close()


def test_the_tables_hold_what_was_counted() -> None:
    drawn = [BeautifulSoup(draw("x"), "html.parser") for draw in explorers.EXPLORERS.values()]
    tables = [item.select(".ex-still tbody tr") for item in drawn]
    for row in tables[0]:
        stride, offset, *counts = (int(cell.text) for cell in row.select("th, td"))
        assert counts == [explorers.count_sectors(element, stride, offset) for element in explorers.ELEMENTS]
    assert [cell.text for cell in tables[0][1].select("th, td")] == ["1", "0", "1", "2", "4", "8", "16"]
    found = {tuple(int(cell.text) for cell in row.select("th, td")) for row in tables[1]}
    assert {(32, 0, 32, 32, 32), (32, 1, 1, 32, 32), (16, 1, 1, 16, 32)} <= found
    assert [first(row, "th").text for row in tables[2]] == list(GPUS)


def test_each_explorer_stands_in_its_chapter(html: Path) -> None:
    for name, kind in (("coalescing", "sectors"), ("banks", "banks"), ("measuring", "occupancy")):
        soup = BeautifulSoup((html / "book" / f"{name}.html").read_text(), "html.parser")
        (explorer,) = soup.select(".explorer")
        assert explorer["data-explorer"] == kind
        figure = explorer.find_parent("figure")
        assert figure is not None and len(first(figure, "figcaption").text) > 40
        assert len(explorer.select(".ex-still table")) == 1 and not explorer.select("noscript")
        assert soup.select('script[src*="explorers.js"][defer]') and soup.select('link[href*="explorers.css"]')
    soup = BeautifulSoup((html / "book" / "barriers.html").read_text(), "html.parser")
    assert not soup.select('script[src*="explorers.js"], link[href*="explorers.css"]')
