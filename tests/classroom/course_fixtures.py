"""Fixtures for everything that runs nbgrader."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.api import Student
from requested_texts import cells
from small_course import Course, Notebook, answer, source_notebook
from submitted_notebooks import STUB

from autograder.classroom.classroom import Classroom, open_classroom


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A chapter `words` of two notebooks, released; nobody has handed in anything. Not to be changed."""
    course = Course(tmp_path_factory.mktemp("fresh"))
    course.add("words", "one", source_notebook())
    course.add("words", "two", source_notebook("import time\ntime.sleep(0.5)"))
    course.nbgrader(("generate_assignment", "words"))
    return course


@pytest.fixture(scope="session")
def requested(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A chapter `words` of one notebook that asks for answers in words, too. Not to be changed."""
    course = Course(tmp_path_factory.mktemp("texts"))
    notebook = source_notebook()
    notebook.cells += cells()
    course.add("words", "one", notebook)
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


@pytest.fixture
def lms_room(fresh: Course, tmp_path: Path) -> Classroom:
    shutil.copytree(fresh.root, tmp_path / "course")
    room = open_classroom(tmp_path / "course")
    two = room.root / "exercises" / "words" / "two.ipynb"
    two.write_text(two.read_text().replace("%%cuda ", "%%cuda other_"))  # its cells identify it
    with room.gradebook() as gradebook:
        gradebook.db.add(Student(id="ada", first_name="Ada", last_name="Lovelace", email="a.byron@example.org"))
        gradebook.db.add(Student(id="bob", first_name="Bob", last_name="Müller", lms_user_id="777"))
        gradebook.db.commit()
    return room
