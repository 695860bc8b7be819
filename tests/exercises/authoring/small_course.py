"""A small course without the emulator: answers are text, and a check looks for a word; "slowly" makes it slow."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from autograder.cuda.backends import gpu
from autograder.exercises.authoring import nbgrader_app as stock

#: What a notebook's file holds, as JSON.
Notebook = dict[str, Any]

ROOT = Path(__file__).parents[3]

SETUP = """\
import time

import numpy  # a student could hand in a file of this name
from autograder.exercises.result import MIME

class CheckFailed(Exception):
    def _render_traceback_(self):
        return [str(self)]

answers = {}

def cuda(line, cell):
    answers[line.strip()] = cell

get_ipython().register_magic_function(cuda, "cell")

def check(name, word):
    if "slowly" in answers.get(name, ""):
        time.sleep(20)
    passed = word in answers.get(name, "")
    said = f"{name} holds {word}." if passed else f"{name} holds no {word}: FAILED"
    outcome = "passed" if passed else "failed"
    result = dict(exercise=name, check="holds", title=f"{name} holds {word}", hidden=False, outcome=outcome)
    display({"text/plain": said, MIME: result}, raw=True)
    if not passed:
        raise CheckFailed(said)
"""


@contextmanager
def hidden_gpu() -> Iterator[None]:
    """A machine without a GPU, for this process too, which may have found one before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CUDA_VISIBLE_DEVICES", "")
        take_gpu(patch, gpu.Gpu())
        yield


def take_gpu(patch: pytest.MonkeyPatch, device: gpu.Gpu) -> None:
    """Let this machine's GPU be another one."""
    for name in "problem device_name versions is_too_old_for processors reads_host_memory run time close".split():
        patch.setattr(gpu, name, getattr(device, name))


def _cell(kind: str, source: str, grade_id: str, points: int = 0, solution: bool = False) -> NotebookNode:
    nbgrader = {
        "schema_version": 3,
        "grade_id": grade_id,
        "cell_type": kind,
        "grade": points > 0,
        "solution": solution,
        "locked": not solution,
        "task": False,
    } | ({"points": points} if points else {})
    more = {"id": grade_id, "metadata": {"nbgrader": nbgrader}}
    v4 = nbformat.v4
    new: NotebookNode = v4.new_code_cell(source, **more) if kind == "code" else v4.new_markdown_cell(source, **more)
    return new


def source_notebook(*tests: str) -> NotebookNode:
    """Two answers, `first` and `second`, of 2 points each; `tests` are further test cells of 1 point."""
    answer = "%%cuda {0}\n// {0}\n// BEGIN SOLUTION\nright {0}\n// END SOLUTION"
    hidden = "### BEGIN HIDDEN TESTS\ncheck('second', 'right')\n### END HIDDEN TESTS"
    cells = [
        _cell("markdown", "# An exercise", "title"),
        _cell("code", SETUP, "setup"),
        _cell("code", answer.format("first"), "answer-first", solution=True),
        _cell("code", 'check("first", "right")', "test-first", points=2),
        _cell("code", answer.format("second"), "answer-second", solution=True),
        _cell("code", f"check('second', 'second')\n{hidden}", "test-second", points=2),
        *(_cell("code", test, f"test-more-{i}", points=1) for i, test in enumerate(tests)),
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook: NotebookNode = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    return notebook


class Course:
    """A separate course directory on which the stock nbgrader commands run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("nbgrader_config.py", "_config.yml"):
            shutil.copy(ROOT / name, root)

    def nbgrader(self, *commands: Sequence[str]) -> str:
        """Run stock commands in one process, since each takes seconds to start."""
        return stock.nbgrader(self.root, commands)

    def add(self, assignment: str, name: str, notebook: NotebookNode) -> None:
        folder = self.root / "solutions" / assignment
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, folder / f"{name}.ipynb")

    def released(self, assignment: str, name: str) -> Notebook:
        notebook: Notebook = json.loads((self.root / "exercises" / assignment / f"{name}.ipynb").read_text())
        return notebook

    def submit(self, student: str, assignment: str, name: str, content: object) -> Path:
        """Hand in `content`: bytes as they are, or anything that JSON can hold."""
        path = self.root / "submitted" / student / assignment / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    def graded(self, student: str, assignment: str, name: str) -> NotebookNode:
        path = self.root / "autograded" / student / assignment / f"{name}.ipynb"
        notebook: NotebookNode = nbformat.read(path, as_version=4)
        return notebook


def answer(notebook: Notebook, name: str, text: str) -> None:
    """Replace the text below `%%cuda name`."""
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if source.startswith(f"%%cuda {name}\n"):
            cell["source"] = f"%%cuda {name}\n{text}"


def submit(root: Path, student: str, word: str) -> None:
    """Hand in both notebooks of the chapter `words`; the answers are right if they hold the word "right"."""
    course = Course(root)
    for name in ("one", "two"):
        notebook = course.released("words", name)
        answer(notebook, "first", word)
        answer(notebook, "second", f"{word} second")
        course.submit(student, "words", name, notebook)


_GRADES = """
SELECT submitted_assignment.student_id, assignment.name, notebook.name, base_cell.name, {columns}
FROM {table}
JOIN base_cell ON base_cell.id = {table}.cell_id
JOIN submitted_notebook ON submitted_notebook.id = {table}.notebook_id
JOIN notebook ON notebook.id = submitted_notebook.notebook_id
JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
JOIN assignment ON assignment.id = submitted_assignment.assignment_id
"""
_SUBMISSIONS = """
SELECT student_id, assignment.name, timestamp, notebook.name, late_submission_penalty, flagged
FROM submitted_notebook
JOIN notebook ON notebook.id = submitted_notebook.notebook_id
JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
JOIN assignment ON assignment.id = submitted_assignment.assignment_id
"""


def gradebook_rows(root: Path, connect: Callable[[], Any] | None = None) -> dict[str, set[tuple[Any, ...]]]:
    """All that a gradebook says about students, by table: that of the course at `root`, or the one `connect` opens."""
    queries = {
        "grade": _GRADES.format(
            table="grade", columns="auto_score, manual_score, extra_credit, needs_manual_grade, max_score"
        ).replace("JOIN base_cell", "LEFT JOIN grade_cells ON grade_cells.id = grade.cell_id JOIN base_cell"),
        "comment": _GRADES.format(table="comment", columns="auto_comment, manual_comment"),
        "submission": _SUBMISSIONS,
        "student": "SELECT id FROM student",
    }
    found = {}
    with closing(connect() if connect else sqlite3.connect(root / "gradebook.db")) as gradebook:
        cursor = gradebook.cursor()
        for table, query in queries.items():
            cursor.execute(query)
            found[table] = cursor.fetchall()
    assert all(len(rows) == len(set(rows)) for rows in found.values())
    return {table: set(rows) for table, rows in found.items()}


def message(notebook: NotebookNode) -> list[tuple[str, Any, list[Any]]]:
    """Text, number and outputs of each code cell. (A kernel may cut one text into several outputs.)"""
    found: list[tuple[str, Any, list[Any]]] = []
    for cell in notebook.cells:
        outputs: list[Any] = []
        for out in cell.get("outputs", []):
            if out.output_type == "stream" and outputs and outputs[-1][0] == out.name:
                outputs[-1] = (out.name, outputs[-1][1] + out.text)
            elif out.output_type == "stream":
                outputs.append((out.name, out.text))
            elif out.output_type == "error":
                outputs.append((out.ename, out.evalue, out.traceback))
            else:
                outputs.append((out.output_type, out.data, out.metadata))
        found.append((cell.source, cell.get("execution_count"), outputs))
    return found
