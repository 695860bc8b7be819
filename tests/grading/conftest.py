"""Fixtures for everything that runs nbgrader."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from hand_ins import STUB
from nbformat import NotebookNode
from small_course import ROOT, Course, Notebook, answer, source_notebook


@pytest.fixture(scope="session", autouse=True)
def _autograder_is_importable() -> Iterator[None]:
    """Make the package importable in the commands' processes, too, which run elsewhere, as if it were installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        yield


@pytest.fixture(scope="session", autouse=True)
def _commands_can_be_interrupted() -> Iterator[None]:
    """Restore interrupts, even if a shell started the tests in the background with interrupts ignored, which processes
    inherit."""
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


@pytest.fixture
def released() -> NotebookNode:
    """An exercise of two answers, as students get it."""
    notebook = source_notebook()
    for cell in notebook.cells:
        if cell.metadata.nbgrader.solution:
            cell.source = cell.source.split("\n")[0] + f"\n{STUB}"
    return notebook


@pytest.fixture
def submitted(released: NotebookNode) -> Notebook:
    """The exercise with both answers right."""
    notebook: Notebook = json.loads(nbformat.writes(released))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    answer(notebook, "first", "right first")
    answer(notebook, "second", "right second")
    return notebook
