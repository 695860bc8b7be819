"""How long the book takes to build, in seconds and in seconds of the processors, and its landing page to be
ready in a browser: `make bench` prints it.

It may take 3 minutes from nothing and 15 seconds unchanged, on two cores; the landing page, one second.
"""

import http.server
import os
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

from browsing import CHROMIUM, FLAGS, Quiet
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "book" / "banks.md"  # the one that draws most


def build(what: str, folder: str, cache: str) -> None:
    """Print how long a build into `folder` takes, with compiled kernels kept in `cache`."""
    program = Path(sys.executable).parent / "jupyter-book"
    command: list[str | Path] = [program, "build", ".", "--quiet", "-W", "--keep-going", "--path-output", folder]
    start, before = time.perf_counter(), os.times()
    here = {**os.environ, "XDG_CACHE_HOME": cache}
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=here)
    after = os.times()
    used = sum(after[2:4]) - sum(before[2:4])  # of the processes that have ended
    print(f"the book, {what}: {time.perf_counter() - start:.0f} s, {used:.0f} of the processors", flush=True)


def open_landing_page(html: Path) -> None:
    """Print how long until it is loaded, by a browser that has not seen it before; the best of five."""
    if CHROMIUM is None:
        print("the landing page: no Chromium is here")
        return
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(html)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    times = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for _ in range(5):
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/book/index.html", wait_until="networkidle")
            times.append(page.evaluate("performance.getEntriesByType('navigation')[0].domComplete"))
            page.close()
        browser.close()
    server.shutdown()
    server.server_close()
    print(f"the landing page: ready after {min(times) / 1000:.2f} s", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as first:
        build("from nothing, no kernel compiled before", first, cache)
        with tempfile.TemporaryDirectory() as folder:
            build("from nothing", folder, cache)
            build("unchanged", folder, cache)
            open_landing_page(Path(folder) / "_build" / "html")
            PAGE.touch()
            build("one page to be read again", folder, cache)


if __name__ == "__main__":
    main()
