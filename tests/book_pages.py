"""The book, built once a test run, for the tests that look at its pages."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


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
            command = [program, "build", ".", "-W", "--keep-going", "--path-output", folder / "book"]
            here = {**os.environ, "PYTHONPATH": str(ROOT)}  # this checkout, whatever else is installed
            done = subprocess.run(command, cwd=ROOT, env=here, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
            built.touch()
    return pages
