"""The book, built once a test run, a server of its pages, and a browser."""

from __future__ import annotations

import fcntl
import http.server
import os
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from book_pages import ROOT
from browsing import CHROMIUM, FLAGS, Quiet

from autograder.classroom.commands.course import make_book

if TYPE_CHECKING:  # as in browsing.py
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def html() -> Path:
    """The folder of the pages, built with warnings as errors: `make course` may have done so, or a bare machine whose
    pages .ci/run names."""
    if "COURSE_BOOK" in os.environ:
        return Path(os.environ["COURSE_BOOK"])
    lock = ROOT / "_build" / "book-lock"
    lock.parent.mkdir(exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # one build for all workers
        return make_book(ROOT)


@pytest.fixture(scope="module")
def site(html: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The pages' address: below a path, as on GitHub Pages, so a link from the host's root leads nowhere."""
    served = tmp_path_factory.mktemp("served")
    (served / "cooperating-threads").symlink_to(html)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(served)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/cooperating-threads"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
