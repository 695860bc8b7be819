"""Notebooks from plain text: a template is easier to read, and to change, than the JSON of a notebook.

A line `%% markdown ID`, `%% code ID`, `%% answer ID` or `%% check ID POINTS` begins a cell, whose nbgrader metadata
follows from that.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

_CELL = re.compile(r"^%% (markdown|code|answer|check) (\S+)(?: (\S+))?\n", re.MULTILINE)


def to_notebook(text: str) -> NotebookNode:
    """Return the notebook that `text` describes."""
    _, *parts = _CELL.split(text)
    cells = [_cell(*parts[at : at + 4]) for at in range(0, len(parts), 4)]
    new: Callable[..., NotebookNode] = new_notebook
    notebook = new(cells=cells)
    notebook.metadata.kernelspec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def _cell(kind: str, name: str, points: str | None, source: str) -> NotebookNode:
    new: Callable[..., NotebookNode] = new_markdown_cell if kind == "markdown" else new_code_cell
    cell = new(source.strip("\n"), id=name)
    cell.metadata.nbgrader = {
        "cell_type": cell.cell_type,
        "grade": kind == "check",
        "grade_id": name,
        "locked": kind != "answer",
        **({"points": float(points) if "." in points else int(points)} if points else {}),
        "schema_version": 3,
        "solution": kind == "answer",
        "task": False,
    }
    return cell
