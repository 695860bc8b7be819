"""Does a page report truly how much of the compiler it has loaded, whether or not its server compresses?"""

from __future__ import annotations

import gzip
import http.server
import json
import re
import threading
import time
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

import inputs
import pytest
from browsing import CHROMIUM, Quiet
from playwright.sync_api import Browser

pytestmark = [inputs.book, pytest.mark.rare, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]
PATIENCE = 120_000  # milliseconds; only a failure takes as long
#: Bytes that the server sends at a time, and seconds between them.
PART, PAUSE = 200_000, 0.02
#: Collects each sentence of the status.
COLLECT = """
    window.sentences = [];
    new MutationObserver(() => sentences.push(document.querySelector(".answer-status").textContent))
        .observe(document.querySelector(".answer-status"), { childList: true });
"""


@cache
def packed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6)


class Plain(Quiet):
    """A server on a slow line."""

    packs = False

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            return self.send_error(404)
        content = packed(path) if self.packs else path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(content)))
        if self.packs:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        for start in range(0, len(content), PART):
            self.wfile.write(content[start : start + PART])
            if len(content) > PART:
                time.sleep(PAUSE)


class Packing(Plain):
    """A server on a slow line that compresses, as GitHub Pages does."""

    packs = True


@pytest.mark.parametrize("server", [Plain, Packing])
def test_the_progress_is_that_of_the_network(server: type[Plain], html: Path, browser: Browser) -> None:
    page_files = html / "_static/page"
    if not (page_files / "worker.js").exists():
        pytest.skip("the book was built without npm's packages")
    sizes = json.loads((page_files / "manifest.json").read_text())["sizes"]
    del sizes["clang/llvm.whole.wasm"]
    host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(server, directory=str(html)))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{host.server_port}/exercises/threads/saxpy.html")
    page.get_by_role("button", name="Write").first.click()
    page.locator(".cm-content:focus").wait_for()
    page.keyboard.insert_text("//")
    page.evaluate(COLLECT)
    page.locator(".answer-check").click()
    page.wait_for_function("sentences.some((one) => one.startsWith('Starting'))", timeout=PATIENCE)
    sentences = page.evaluate("sentences")
    page.close()
    host.shutdown()
    host.server_close()

    found = [re.match(r"Loading the compiler: (\d+) of (\d+) MB", sentence) for sentence in sentences]
    done, total = zip(*((int(match[1]), int(match[2])) for match in found if match), strict=True)
    sent = sum(len(packed(page_files / name)) if server.packs else size["size"] for name, size in sizes.items())
    assert set(total) == {round(sent / 1e6)}
    assert all(0 <= later - before < total[0] / 3 for before, later in pairwise(done)), done
    assert done[0] < total[0] / 4 and done[-1] > total[0] * 0.9
