"""Measures the checking of an exercise in its page: `python tests/bench_page.py [_build/html]`, with npm's packages.

Prints, and writes to book/data/page_chromium.csv: what the first check loads, as it is and compressed; the time from
the click to the points, by the clock and of all the browser's processes, on a first visit, on later ones, for each
further check, for one after a pause in which the page has compiled the answer, and for an answer with a race; and the
memory of the page's process after each of some exercises. Browser and host are this machine, which should have nothing
else to do: the file says how busy it was.
"""

from __future__ import annotations

import gzip
import http.server
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, Request, sync_playwright

from autograder.cuda.performance import measurements

ROOT = Path(__file__).parents[1]
EXERCISE = "tiling/gemm_tiled"
#: Of these the memory is measured, each on a visit of its own.
HEAVY = (EXERCISE, "threads/saxpy", "barriers/missing_barrier", "reductions/dot_any_n", "atomics/histogram_shared")
FLAGS = ["--no-sandbox", "--disable-gpu"]
MB = 1e6
#: Milliseconds after which Chromium has written what it has compiled.
KEEPING = 6000
#: And after which the page has compiled what was written.
PAUSE = 4000

Row = dict[str, object]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def processes() -> Iterator[Path]:
    """The folders in /proc of the browser's processes: all below this one."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parents[path] = Path("/proc") / (path / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:  # it has ended
            continue
    for path in parents:
        above = parents[path]
        while above in parents and above.name != str(os.getpid()):
            above = parents[above]
        if above.name == str(os.getpid()):
            yield path


def cpu_seconds() -> float:
    ticks = 0
    for path in processes():
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def page_memory() -> float:
    """MB of the largest process that shows a page."""
    most = 0.0
    for path in processes():
        try:
            if b"--type=renderer" in (path / "cmdline").read_bytes():
                most = max(most, int((path / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MB)
        except OSError:
            continue
    return most


class Bench:
    """The rows of the file, and what they are measured with."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context, self.address = context, address
        self.rows: list[Row] = []

    def note(self, what: str, value: float, unit: str) -> None:
        self.rows.append({"what": what, "value": f"{value:.1f}", "unit": unit})
        print(f"{what:32}{value:8.1f} {unit}", flush=True)

    def check(self, page: Page) -> tuple[float, float]:
        """Seconds from the click to the points: by the clock, and of the processors."""
        start, used = time.monotonic(), cpu_seconds()
        page.locator(".answer-check").click()
        page.locator(".answer-status", has_text="Checking").wait_for()
        # Not in each frame, which would keep the browser drawing.
        done = "/ points\\./.test(document.querySelector('.answer-status').textContent)"
        page.wait_for_function(done, timeout=600_000, polling=50)
        return time.monotonic() - start, cpu_seconds() - used

    def noted(self, what: str, taken: tuple[float, float]) -> None:
        self.note(what, taken[0], "s")
        self.note(f"{what}, processors", taken[1], "s")

    def open(self, exercise: str) -> Page:
        page = self.context.new_page()
        page.goto(f"{self.address}/exercises/{exercise}.html")
        page.locator(".answer-panel").first.wait_for()
        return page

    def visit(self, exercise: str, text: str) -> tuple[Page, tuple[float, float]]:
        page = self.open(exercise)
        write(page, text)
        return page, self.check(page)


def write(page: Page, text: str, *, at_end: bool = False) -> None:
    page.locator(".answer-editor, .cm-content").first.click()
    page.locator(".cm-content:focus").wait_for()
    page.keyboard.press("Control+End" if at_end else "Control+a")
    page.keyboard.insert_text(text)


def solution(exercise: str) -> str:
    cells = json.loads((ROOT / f"solutions/{exercise}.ipynb").read_text())["cells"]
    return next("".join(cell["source"]) for cell in cells if "".join(cell["source"]).startswith("%%cuda"))


def measure(bench: Bench, html: Path) -> None:
    right = solution(EXERCISE)
    requested: set[Path] = set()

    def take(request: Request) -> None:
        requested.add(html / request.url.removeprefix(f"{bench.address}/").partition("?")[0])

    bench.context.on("request", take)
    page, first = bench.visit(EXERCISE, right)
    bench.context.remove_listener("request", take)
    loaded = [path for path in requested if "_static/page" in path.as_posix() and path.is_file()]
    bench.note("loaded", sum(path.stat().st_size for path in loaded) / MB, "MB")
    bench.note("loaded, by gzip", sum(len(gzip.compress(path.read_bytes(), 6)) for path in loaded) / MB, "MB")
    whole = (html / "_static/page/clang/llvm.whole.wasm").read_bytes()
    bench.note("whole compiler, by gzip", len(gzip.compress(whole, 6)) / MB, "MB")
    bench.noted("first visit", first)
    page.wait_for_timeout(KEEPING)
    page.close()
    for which in ("second visit", "third visit"):  # the browser keeps the compiler as it compiled it in the second one
        page, later = bench.visit(EXERCISE, right)
        bench.noted(which, later)
        if which == "second visit":
            page.wait_for_timeout(KEEPING)
            page.close()
    further = []
    for nth in range(5):
        write(page, f"// {nth}", at_end=True)
        further.append(bench.check(page))
    bench.noted("each further check", sorted(further)[2])
    write(page, "// at last", at_end=True)
    page.wait_for_timeout(PAUSE)
    bench.noted("one after a pause", bench.check(page))
    write(page, right.replace("__syncthreads();    // both", "// both"))
    bench.noted("one that finds a race", bench.check(page))
    page.close()
    for exercise in HEAVY:
        page, _ = bench.visit(exercise, solution(exercise))
        bench.note(f"memory, {exercise}", page_memory(), "MB")
        page.close()


def main(html: Path) -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(html)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(profile, executable_path=chromium, args=FLAGS)
        bench = Bench(context, f"http://127.0.0.1:{server.server_port}")
        load = f"{os.getloadavg()[0]:.1f}"
        measure(bench, html.resolve())
        context.close()
    origin = measurements.origin("tests/bench_page.py", cpu=measurements.cpu(), load=load, exercise=EXERCISE)
    measurements.write(ROOT / "book/data/page_chromium.csv", bench.rows, origin)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "_build/html"))
