"""Does every page open in a real browser with no request to another host, no error, and nothing out of reach?"""

from dataclasses import dataclass, field
from pathlib import Path

import inputs
import pytest
from accessibility import find_faint_text, find_unreachable, find_violations
from book_pages import ROOT, all_pages
from browsing import CHROMIUM, Scheme, box_of, watch
from playwright.sync_api import Browser, Request
from sampling import sample

PAPER = 680  # pixels of 1/96 inch between the margins of print.css
SCREENSHOTS = ROOT / "_build" / "screenshots"

pytestmark = [inputs.book, pytest.mark.rare, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]


#: How many texts wrap because a line is too long.
FOLDED = """[...document.querySelectorAll(".highlight-text pre")]
    .filter(one => getComputedStyle(one).whiteSpace !== "pre").length"""


@dataclass
class Visit:
    """What one page did and showed: dark, then light, then as narrow as a phone, then printed."""

    wrong: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    faint: list[str] = field(default_factory=list)
    folded: int = 0
    phone_width: int = 0
    paper_width: int = 0


@pytest.fixture(scope="module")
def visits(html: Path, site: str, browser: Browser, request: pytest.FixtureRequest) -> dict[str, Visit]:
    """Every page, opened once; without --all, some of the book's pages and some exercises."""
    # The shortest first: what is judged once is then usually judged on a short page, where axe is much quicker.
    pages = {str(path.relative_to(html)): path.stat().st_size for path in all_pages(html)}
    pages = {name: size for name, size in pages.items() if not name.startswith("slides/")}  # they have one look
    names = sorted(sample(request.config, pages, by=lambda name: Path(name).parts[0], one_in=16), key=pages.__getitem__)
    seen: dict[str, Visit] = {}
    looks: dict[Scheme, set[str]] = {"dark": set(), "light": set()}
    page = browser.new_page(reduced_motion="reduce")
    wrong = watch(page, site)
    for name in names:
        page.goto("about:blank")  # so that only an empty page is laid out for the next screen
        page.emulate_media(media="screen", color_scheme="dark")
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(f"{site}/{name}")
        visit = seen[name] = Visit()
        for scheme, known in looks.items():
            page.emulate_media(color_scheme=scheme)
            # index.html redirects, so this may be another page by now, and not yet ready.
            page.wait_for_function(f"document.documentElement.dataset.theme === '{scheme}'")
            visit.faint += [f"{scheme}: {item}" for item in find_faint_text(page, known)]
        visit.violations = find_violations(page)
        visit.folded = page.evaluate(FOLDED)
        page.set_viewport_size({"width": 390, "height": 844})
        visit.phone_width = page.evaluate("document.documentElement.scrollWidth")
        visit.violations += find_unreachable(page)
        page.set_viewport_size({"width": PAPER, "height": 1000})
        page.emulate_media(media="print")
        visit.paper_width = page.evaluate("document.documentElement.scrollWidth")
        page.wait_for_load_state("networkidle")
        visit.wrong, wrong[:] = wrong.copy(), []
    page.close()
    return seen


def test_every_page_keeps_to_itself(visits: dict[str, Visit]) -> None:
    assert {Path(name).parts[0] for name in visits} >= {"book", "exercises"}
    assert {name: visit.wrong for name, visit in visits.items() if visit.wrong} == {}


def test_no_page_has_a_fault_that_axe_sees(visits: dict[str, Visit]) -> None:
    assert {name: visit.violations for name, visit in visits.items() if visit.violations} == {}


def test_no_text_is_faint(visits: dict[str, Visit]) -> None:
    assert {name: visit.faint for name, visit in visits.items() if visit.faint} == {}


def test_a_picture_made_of_text_does_not_fold(visits: dict[str, Visit]) -> None:
    assert [name for name, visit in visits.items() if visit.folded] == []


def test_no_page_is_wider_than_a_phone(visits: dict[str, Visit]) -> None:
    assert {name: visit.phone_width for name, visit in visits.items() if visit.phone_width > 390} == {}


def test_no_page_is_wider_than_paper(visits: dict[str, Visit]) -> None:
    # Chromium would print the page smaller: in the PDF of the whole book, every page.
    assert {name: visit.paper_width for name, visit in visits.items() if visit.paper_width > PAPER} == {}


def test_the_watcher_sees_what_is_wrong(site: str, browser: Browser) -> None:
    page = browser.new_page()
    wrong = watch(page, site)
    page.goto(f"{site}/book/index.html")
    page.evaluate("console.error('oh'); console.debug('so'); setTimeout(() => { throw new Error('ah') })")
    page.evaluate("fetch('/nothing').catch(() => 0)")
    page.evaluate("fetch('http://host.invalid/').catch(() => 0)")
    page.wait_for_timeout(300)
    page.close()
    for word in (
        "console error: oh",
        "console debug: so",
        "JavaScript: ah",
        "answered 404",
        "asks another host: http://host.invalid/",
    ):
        assert any(word in item for item in wrong), (word, wrong)


def test_axe_sees_what_is_wrong(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(
        '<html lang="en"><title>t</title><main><h1>h</h1><p style="color: #bbb">faint</p><img src="data:,">'
        '<div style="height: 50px; overflow: auto"><p style="height: 500px">far</p><p>down</p></div>'
        '<pre tabindex="0" style="width: 50px; overflow: auto"><span class="k">keyword</span> <span role="no">x</span>'
        '<span class="linenos">1</span></pre></main>'
    )
    seen: set[str] = set()
    (faint,) = find_faint_text(page, seen)
    assert "color-contrast: main > p" in faint and seen and find_faint_text(page, seen) == []
    found = " ".join(find_violations(page))
    assert "image-alt: img" in found and "aria-roles: span" in found
    (unreachable,) = find_unreachable(page)
    assert "scrollable-region-focusable: div" in unreachable
    assert page.inner_text("pre") == "keyword x1" and page.locator("pre span").count() == 2
    page.close()


#: The element with the focus, whether there is a ring (at it, in it or around it), and whether it is in sight.
FOCUS = """() => {
  const one = document.activeElement, box = one.getBoundingClientRect();
  if (one === document.body) return null;
  const ring = (it) => getComputedStyle(it).outlineStyle !== "none" || getComputedStyle(it).boxShadow !== "none";
  const parts = [one, ...one.querySelectorAll("*"), ...(one.labels ?? [])];
  // Of an editor, which may be larger than the screen, where its text begins.
  const start = one.isContentEditable && one.querySelector(".cm-line")?.getBoundingClientRect();
  const [x, y] = start ? [start.left + 1, start.bottom - 1] : [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return [one.outerHTML.slice(0, 120), parts.some(ring), 0 <= x && x <= innerWidth && 0 <= y && y <= innerHeight];
}"""


@pytest.mark.smoke
def test_the_search_leads_to_a_page(site: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{site}/search.html?q=barrier")
    page.locator("#search-results li a").first.click()
    page.wait_for_url(f"{site}/book/*.html*")
    assert "barrier" in page.locator("article").inner_text().lower()
    page.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_who_goes_by_tab_sees_where(site: str, browser: Browser, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    page.goto(f"{site}/exercises/threads/saxpy.html")
    page.keyboard.press("Tab")  # the link that skips to the content, which slides in
    stops: list[tuple[str, bool, bool]] = []  # what it is, whether it has a ring, whether it is in sight
    while len(stops) < 200:
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUS)
        if stop is None:
            break
        stops.append(stop)
    assert 20 < len(stops) < 200  # no keyboard trap
    assert [what for what, ring, seen in stops if not (ring and seen)] == []
    page.close()


@pytest.mark.smoke
def test_the_landing_page_fits_one_screen(site: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{site}/")
    for selector in ("h1", ".start-buttons a >> nth=0", ".start-buttons a >> nth=1", ".highlight", ".report"):
        box = box_of(page.locator(f"article {selector}").first)
        assert box["y"] >= 0 and box["y"] + box["height"] <= 800, selector
    page.click("text=Start reading")
    assert page.title().startswith("1. Threads, blocks and your first kernel")
    page.close()


def test_the_landing_page_is_light(site: str, browser: Browser) -> None:
    # How soon it is there, `make bench` prints: other tests run at the same time here.
    page = browser.new_page()
    finished: list[Request] = []
    page.on("requestfinished", lambda item: finished.append(item))
    page.goto(f"{site}/book/index.html", wait_until="networkidle")
    sizes = [len(response.body()) for item in finished if (response := item.response())]
    assert 10 < len(sizes) <= 32 and 300_000 < sum(sizes) < 1_000_000
    page.close()


@pytest.mark.sampled(by=lambda look: look)
@pytest.mark.parametrize("name", ["book/index", "book/barriers"])
@pytest.mark.parametrize(
    ("look", "scheme", "width"), [("light", "light", 1280), ("dark", "dark", 1280), ("phone", "light", 390)]
)
def test_take_screenshots(site: str, browser: Browser, name: str, look: str, scheme: Scheme, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto(f"{site}/{name}.html", wait_until="networkidle")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    path = SCREENSHOTS / f"{Path(name).stem}-{look}.png"
    page.screenshot(path=path, full_page=True)
    assert path.stat().st_size > 10_000
    page.close()
