"""What happens to a handed-in notebook before anything is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from small_course import Notebook

from autograder.classroom.submission.exercise import Exercise
from autograder.classroom.submission.folder import SubmittedFolder
from autograder.classroom.submission.notes import NoteKind, read_notes

STUB = "// YOUR CODE HERE"


def grade(
    released: NotebookNode, folder: Path, content: object, name: str = "one.ipynb"
) -> tuple[NotebookNode, list[NoteKind], str]:
    """(rebuilt notebook, kinds of its notes, their texts) for a submitted file."""
    if content is not None:
        (folder / name).write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    notebook = SubmittedFolder(folder, {"one": Exercise(released)}).rebuild("one")
    nbformat.validate(notebook)
    notes = read_notes(notebook)
    return notebook, [note.kind for note in notes], " ".join(note.text for note in notes)


def answers(notebook: NotebookNode) -> list[str]:
    """The texts below the first lines of the two answer cells."""
    cells = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    assert [cell.source.split("\n")[0] for cell in cells] == ["%%cuda first", "%%cuda second"]
    return [cell.source.partition("\n")[2] for cell in cells]


def is_released(notebook: NotebookNode, released: NotebookNode) -> bool:
    """Whether everything is as released, except for answers and the first cell with the notes."""
    cells = [cell for cell in notebook.cells if cell.id != "about-this-submission"]
    assert len(cells) == len(released.cells)
    pairs = list(zip(cells, released.cells, strict=True))
    return all(
        a == b or (b.metadata.nbgrader.solution and {**a, "source": ""} == {**b, "source": ""}) for a, b in pairs
    )


def cell_of(notebook: Notebook, grade_id: str) -> dict[str, Any]:
    return next(c for c in notebook["cells"] if c["metadata"]["nbgrader"]["grade_id"] == grade_id)
