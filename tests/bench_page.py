"""Measures the checking of an exercise in its page: `python tests/bench_page.py [_build/html]`, with npm's packages.

Prints the bytes that are loaded, as they are and compressed, and the time from the click to the points: on a first
visit, on a later one, for each further check, and for an answer with a race. Browser and host are this machine.
"""

from __future__ import annotations

import gzip
import http.server
import json
import shutil
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, sync_playwright

EXERCISE = "tiling/gemm_tiled"
FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"]
MB = 1e6
#: Milliseconds after which Chromium has written what it has compiled.
KEEPING = 6000


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def sizes(site: Path) -> None:
    """What the first check loads."""
    loaded = [path for path in site.rglob("*") if path.is_file() and "cases" not in path.relative_to(site).parts]
    raw, packed = (
        sum(path.stat().st_size for path in loaded),
        sum(len(gzip.compress(path.read_bytes(), 6)) for path in loaded),
    )
    print(f"loaded            {raw / MB:6.1f} MB as they are, {packed / MB:.1f} MB by gzip")


def check(page: Page) -> float:
    """Seconds from the click to the points."""
    start = time.monotonic()
    page.locator(".answer-check").click()
    page.locator(".answer-status", has_text="Checking").wait_for()
    page.wait_for_function("/ points\\./.test(document.querySelector('.answer-status').textContent)", timeout=600_000)
    return time.monotonic() - start


def visit(context: BrowserContext, address: str, text: str) -> tuple[Page, float]:
    page = context.new_page()
    page.goto(address)
    page.locator(".answer-panel").wait_for()
    page.locator(".answer-editor").click()
    page.locator(".cm-content:focus").wait_for()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
    return page, check(page)


def main(html: Path) -> None:
    sizes(html / "_static/page")
    cells = json.loads(Path(f"solutions/{EXERCISE}.ipynb").read_text())["cells"]
    right = next("".join(cell["source"]) for cell in cells if cell["id"] == "answer")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(html)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/exercises/{EXERCISE}.html"
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(profile, executable_path=chromium, args=FLAGS)
        page, first = visit(context, address, right)
        print(f"first visit       {first:6.1f} s to the points")
        page.close()
        for which in ("second", "third"):  # the browser keeps the compiler as it compiled it in the second one
            page, later = visit(context, address, right)
            print(f"{which:6} visit      {later:6.1f} s")
            if which == "second":
                page.wait_for_timeout(KEEPING)
                page.close()
        further = []
        for nth in range(5):
            page.locator(".cm-content").click()
            page.keyboard.press("Control+End")
            page.keyboard.insert_text(f"// {nth}")
            further.append(check(page))
        print(f"each further one  {sorted(further)[2]:6.1f} s (median of {len(further)}), all sentences together")
        page.locator(".cm-content").click()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(right.replace("__syncthreads();    // both", "// both"))
        print(f"with a race       {check(page):6.1f} s, with the search for a counterexample")
        context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "_build/html"))
