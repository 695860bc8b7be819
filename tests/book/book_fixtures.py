"""The book, built once a test run, a server of its pages, and a browser."""

from __future__ import annotations

import fcntl
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from book_pages import ROOT
from browsing import CHROMIUM, FLAGS, Quiet

if TYPE_CHECKING:  # as in browsing.py
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def html(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the pages, built with warnings as errors."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # one build for all workers
    built, pages = folder / "book-built", folder / "book" / "_build" / "html"
    with (folder / "book-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built.exists():
            shutil.rmtree(folder / "book", ignore_errors=True)
            program = Path(sys.executable).parent / "jupyter-book"
            command: list[str | Path] = [program, "build", ".", "-W", "--keep-going", "--path-output", folder / "book"]
            here = {**os.environ, "PYTHONPATH": str(ROOT)}  # this checkout, whatever else is installed
            done = subprocess.run(command, cwd=ROOT, env=here, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
            built.touch()
    return pages


@pytest.fixture(scope="module")
def site(html: Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(html)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
