"""Does the book work without a network once a reader has checked an answer, and never from two builds at once?

The host here stands below a path, as on GitHub Pages, sends no special headers, and can be unplugged: a browser's own
switch for that does not reach a service worker.
"""

from __future__ import annotations

import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import inputs
import pytest
from browsing import CHROMIUM, watch
from course_page.service_worker import write_service_worker
from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = [inputs.book, pytest.mark.rare, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]
PATIENCE = 120_000  # milliseconds; only a failure takes as long
BELOW = "/name/"
#: An answer that compiles, and does nothing.
EMPTY = "%%cuda saxpy\n__global__ void saxpy(float a, const float* x, float* y, int n) {}\n"


class Host:
    """Serves `folder` below a path; `requested` are the paths of the requests that it answered."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.plugged, self.requested = folder, True, list[str]()
        host = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                if not host.plugged:
                    self.close_connection = True
                    return
                host.requested.append(self.path.removeprefix(BELOW))
                super().do_GET()

            def translate_path(self, path: str) -> str:
                below = path.startswith(BELOW)
                return str(host.folder / path.removeprefix(BELOW).partition("?")[0]) if below else "/nowhere"

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}{BELOW}"


@contextmanager
def hosting(folder: Path) -> Iterator[Host]:
    host = Host(folder)
    thread = threading.Thread(target=host.server.serve_forever)
    thread.start()
    try:
        yield host
    finally:
        host.server.shutdown()
        thread.join()
        host.server.server_close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


def build(folder: Path, version: str) -> Path:
    """A book of two pages and two scripts, all of which name their version."""
    folder.mkdir()
    for page in ("index", "other"):
        page_text = f'<p>{version}</p><script src="one.js"></script><script src="two.js"></script>'
        (folder / f"{page}.html").write_text(f"<!doctype html><title>{page}</title>{page_text}")
    for script in ("one", "two"):
        (folder / f"{script}.js").write_text(f"var {script} = '{version}';")
    (folder / "always.wasm").write_text("the same in each build")
    write_service_worker(folder)
    for path in folder.iterdir():  # a host tells only seconds apart, and what is old is not asked for again
        os.utime(path, (2**32 + ord(version),) * 2)
    return folder


def keep(page: Page) -> None:
    """Do what a check does (web/offline_copy.mjs), and wait for the end."""
    page.evaluate(
        """async () => {
            const registration = await navigator.serviceWorker.register("service_worker.js");
            await caches.open(registration.scope);
            await navigator.serviceWorker.ready;
            const kept = new Promise((resolve) => navigator.serviceWorker.addEventListener("message", resolve));
            registration.active.postMessage("keep");
            await kept;
        }"""
    )


def versions(page: Page) -> str:
    return str(page.evaluate("[document.querySelector('p').textContent, one, two].join(' ')"))


def update(page: Page) -> str:
    """Ask for the next build, as a browser does now and then; what became of its script."""
    return str(
        page.evaluate(
            """async () => {
                const registration = await navigator.serviceWorker.getRegistration();
                await registration.update();
                const next = registration.installing ?? registration.waiting;
                while (next?.state === "installing")
                    await new Promise((end) => next.addEventListener("statechange", end));
                return next?.state ?? "redundant";
            }"""
        )
    )


def replace(host: Host, version: str) -> None:
    """Publish another build."""
    host.folder = build(host.folder.with_name(version), version)


def test_nothing_is_kept_before_somebody_asks(context: BrowserContext, tmp_path: Path) -> None:
    with hosting(build(tmp_path / "A", "A")) as host:
        page = context.new_page()
        page.goto(f"{host.address}index.html")
        page.evaluate("navigator.serviceWorker.register('service_worker.js').then(() => navigator.serviceWorker.ready)")
        page.goto(f"{host.address}other.html")
        assert page.evaluate("caches.keys()") == []


@pytest.mark.smoke
def test_all_pages_work_without_a_network(context: BrowserContext, tmp_path: Path) -> None:
    with hosting(build(tmp_path / "A", "A")) as host:
        page = context.new_page()
        page.goto(f"{host.address}index.html")
        keep(page)
        host.plugged = False
        for name in ("", "index.html", "other.html?q=1#part"):
            page.goto(f"{host.address}{name}")
            assert versions(page) == "A A A"


def test_two_tabs_see_one_build_until_both_can_change(context: BrowserContext, tmp_path: Path) -> None:
    with hosting(build(tmp_path / "A", "A")) as host:
        tab, second = context.new_page(), context.new_page()
        tab.goto(f"{host.address}index.html")
        second.goto(f"{host.address}index.html")
        keep(tab)
        replace(host, "B")
        host.requested.clear()
        assert update(tab) == "installed"
        assert "always.wasm" not in host.requested  # what is the same is kept once
        tab.reload()
        second.goto(f"{host.address}other.html")
        assert [versions(tab), versions(second)] == ["A A A", "A A A"]
        second.close()
        tab.reload()
        tab.wait_for_function("document.querySelector('p')?.textContent === 'B'")
        assert versions(tab) == "B B B"
        host.plugged = False
        tab.goto(f"{host.address}other.html")
        assert versions(tab) == "B B B"
        stored = tab.evaluate(f"caches.open('{host.address}').then((c) => c.keys()).then((all) => all.length)")
        assert stored == 6  # five files and the mark, so nothing of the build before


def test_a_build_that_is_half_published_changes_nothing(context: BrowserContext, tmp_path: Path) -> None:
    with hosting(build(tmp_path / "A", "A")) as host:
        page = context.new_page()
        page.goto(f"{host.address}index.html")
        keep(page)
        half = build(tmp_path / "B", "B")
        shutil.copy(tmp_path / "A/two.js", half)
        host.folder = half  # only now: a browser also looks for the next build when it likes
        assert update(page) == "redundant"
        (host.folder / "two.js").write_text("var two = 'B';")
        os.utime(host.folder / "two.js", (2**33, 2**33))
        page.goto(f"{host.address}other.html")
        assert versions(page) == "A A A"
        assert update(page) == "installed"
        page.reload()
        page.wait_for_function("document.querySelector('p')?.textContent === 'B'")
        assert versions(page) == "B B B"


def keeping(context: BrowserContext, host: Host) -> Page:
    """A page that keeps what is asked for from now on."""
    page = context.new_page()
    page.goto(f"{host.address}index.html")
    page.evaluate("navigator.serviceWorker.register('service_worker.js').then(() => navigator.serviceWorker.ready)")
    page.evaluate("caches.open(new URL('./', location).href)")
    return page


def test_a_build_that_is_not_whole_is_not_used(context: BrowserContext, tmp_path: Path) -> None:
    with hosting(build(tmp_path / "A", "A")) as host:
        page = keeping(context, host)
        page.goto(f"{host.address}other.html")  # is kept, with its scripts; index.html is not
        replace(host, "B")
        page.goto(f"{host.address}other.html")
        assert versions(page) == "B B B"


def test_what_a_browser_compiles_comes_from_what_is_kept(context: BrowserContext, tmp_path: Path) -> None:
    """Already the first time: or the next visit would not find it compiled."""
    with hosting(build(tmp_path / "A", "A")) as host:
        page = keeping(context, host)
        request = "(name) => fetch(name).then(async (got) => [got.headers.has('last-modified'), await got.text()])"
        page.goto(f"{host.address}other.html")
        assert page.evaluate(request, "always.wasm") == [False, "the same in each build"]
        assert page.evaluate(request, "one.js") == [True, "var one = 'A';"]  # the host's answer itself
        page.evaluate("caches.delete(new URL('./', location).href)")
        assert page.evaluate(request, "always.wasm") == [True, "the same in each build"]
        page.evaluate("caches.open(new URL('./', location).href)")
        (host.folder / "always.wasm").write_text("of another build")
        os.utime(host.folder / "always.wasm", (2**33, 2**33))
        assert page.evaluate(request, "always.wasm") == [True, "of another build"]


def write(page: Page, text: str) -> None:
    page.locator(".answer-panel").wait_for()
    page.locator(".answer-editor").click()
    page.locator(".cm-content:focus").wait_for()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def answer(page: Page, text: str) -> str:
    """Check an answer; what the page says of it."""
    write(page, text)
    page.locator(".answer-check").click()
    status = page.locator(".answer-status", has_text="points").or_(page.locator(".answer-status", has_text="is kept."))
    status.wait_for(timeout=PATIENCE)
    return status.inner_text()


@pytest.mark.parametrize("connection", ["saveData: true, effectiveType: '4g'", "effectiveType: '3g'"])
def test_over_a_costly_connection_the_rest_waits_for_the_reader(
    connection: str, context: BrowserContext, html: Path
) -> None:
    if not (html / "_static/page/worker.js").exists():
        pytest.skip("the book was built without npm's packages")
    context.add_init_script(f"Object.defineProperty(navigator, 'connection', {{ value: {{ {connection} }} }})")
    with hosting(html) as host:
        page = context.new_page()
        page.goto(f"{host.address}exercises/threads/saxpy.html")
        assert answer(page, EMPTY).startswith("0 of 10 points")
        offer = page.locator(".kept-files").get_by_role("button", name="Download the rest")
        offer.wait_for()
        page.goto(f"{host.address}exercises/threads/saxpy.html")  # nor does a later visit
        offer.wait_for()
        page.wait_for_timeout(1000)
        others = ["_static/page/clang/llvm.whole.wasm", "book/glossary.html"]
        assert not set(others) & set(host.requested)
        megabytes = int(offer.inner_text().split()[-2])
        assert megabytes * 1e6 > (html / others[0]).stat().st_size
        offer.click()
        page.locator(".kept-files", has_text="now work without a network").wait_for(timeout=PATIENCE)
        assert set(others) < set(host.requested) and not offer.is_visible()


def test_an_exercise_is_checked_without_a_network_until_it_is_deleted(context: BrowserContext, html: Path) -> None:
    if not (html / "_static/page/worker.js").exists():
        pytest.skip("the book was built without npm's packages")
    text = EMPTY
    with hosting(html) as host:
        page = context.new_page()
        page.goto(f"{host.address}exercises/threads/saxpy.html")
        page.locator(".answer-panel").wait_for()
        assert not page.locator(".kept-files").is_visible()
        assert not page.evaluate("navigator.serviceWorker.getRegistration()")
        assert answer(page, text).startswith("0 of 10 points")
        stored = page.locator(".kept-files", has_text="now work without a network")
        stored.wait_for(timeout=PATIENCE)
        assert host.requested.count("_static/page/clang/llvm.core.wasm") == 1  # for the check, and not to keep it

        host.plugged = False
        wrong = watch(page, host.address)
        page.reload()
        write(page, text.replace("{}", "{ int m = ; }"))
        page.locator(".cm-lintRange-error").wait_for(timeout=PATIENCE)  # the compiler is loaded before the first check
        assert answer(page, text).startswith("0 of 10 points")
        other = context.new_page()
        other.goto(f"{host.address}book/barriers.html")
        assert other.locator("article h1").inner_text().endswith(". Barriers")
        assert not wrong

        button = stored.get_by_role("button")
        size = int(button.inner_text().removeprefix("Delete the offline copy: ").removesuffix(" MB"))
        assert size > 50
        button.click()
        stored.wait_for(state="hidden")
        assert page.evaluate("caches.keys()") == []
        assert not page.evaluate("navigator.serviceWorker.getRegistrations()")
        other.close()
        host.plugged = True
        page.reload()
        page.locator(".answer-panel").wait_for()
        assert text.strip() in page.locator(".answer-editor .cm-content").inner_text()  # answers stay
        assert not page.evaluate("!!navigator.serviceWorker.controller")
        assert not page.locator(".kept-files").is_visible()
