"""Fixtures for everything that runs nbgrader."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_course import ROOT, Course, source_notebook


@pytest.fixture(scope="session", autouse=True)
def _autograder_is_importable() -> Iterator[None]:
    """In the commands' processes too, which run elsewhere; as it is where the package is installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        yield


@pytest.fixture(scope="session", autouse=True)
def _commands_can_be_interrupted() -> Iterator[None]:
    """Also where a shell started the tests in the background, with interrupts ignored: its processes inherit that."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A chapter `words` of two notebooks, released; nobody has handed in anything. Not to be changed."""
    course = Course(tmp_path_factory.mktemp("fresh"))
    course.add("words", "one", source_notebook())
    course.add("words", "two", source_notebook("import time\ntime.sleep(0.5)"))
    course.nbgrader(("generate_assignment", "words"))
    return course


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path)
