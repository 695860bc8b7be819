"""A small course without the emulator: answers are text, and a check looks for a word in it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat

from autograder.grading import stock

ROOT = Path(__file__).parents[2]

SETUP = """\
import numpy  # a student could hand in a file of this name

class CheckFailed(Exception):
    def _render_traceback_(self):
        return [str(self)]

answers = {}

def cuda(line, cell):
    answers[line.strip()] = cell

get_ipython().register_magic_function(cuda, "cell")

def check(name, word):
    if word not in answers.get(name, ""):
        raise CheckFailed(f"{name} holds no {word}: FAILED")
    print(f"{name} holds {word}.")
"""


def _cell(kind: str, source: str, grade_id: str, points: int = 0, solution: bool = False) -> Any:
    nbgrader = {
        "schema_version": 3,
        "grade_id": grade_id,
        "cell_type": kind,
        "grade": points > 0,
        "solution": solution,
        "locked": not solution,
        "task": False,
    } | ({"points": points} if points else {})
    new = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
    return new(source, id=grade_id, metadata={"nbgrader": nbgrader})


def source_notebook(*tests: str) -> Any:
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
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


class Course:
    """A course directory of its own, on which the stock nbgrader commands run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        shutil.copy(ROOT / "nbgrader_config.py", root)

    def nbgrader(self, *commands: Sequence[str]) -> str:
        """Run stock commands in one process, since each takes seconds to start."""
        return stock.nbgrader(self.root, commands)

    def add(self, assignment: str, name: str, notebook: Any) -> None:
        folder = self.root / "solutions" / assignment
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, folder / f"{name}.ipynb")

    def released(self, assignment: str, name: str) -> dict[str, Any]:
        text = (self.root / "exercises" / assignment / f"{name}.ipynb").read_text()
        return json.loads(text)

    def submit(self, student: str, assignment: str, name: str, content: Any) -> Path:
        """`content`: bytes as they are, or anything that JSON can hold."""
        path = self.root / "submitted" / student / assignment / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    def graded(self, student: str, assignment: str, name: str) -> Any:
        return nbformat.read(self.root / "autograded" / student / assignment / f"{name}.ipynb", as_version=4)


def answer(notebook: dict[str, Any], name: str, text: str) -> None:
    """Replace the text below `%%cuda name`."""
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if source.startswith(f"%%cuda {name}\n"):
            cell["source"] = f"%%cuda {name}\n{text}"
