"""Answers in words: nbgrader's manually graded Markdown cells, and what a student adds below a `task` cell.

A person reads them. So nothing of them runs, neither here, since code comes back as text in Markdown, nor in the
page that shows them (`harmless`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

import nbformat
from nbformat import NotebookNode

from .cells import Cell, lean
from .exercise import Exercise
from .harmless import fenced, harmless
from .notes import Note, NoteKind

#: The most bytes of an answer, in words or in code.
MAX_ANSWER_BYTES = 64 * 1024

_MARK_SCHEME = re.compile(r"\n?=== BEGIN MARK SCHEME ===.*?=== END MARK SCHEME ===", re.S)


def is_text(cell: NotebookNode) -> bool:
    """Whether a released cell is answered in words, in its own place."""
    return cell.cell_type == "markdown" and bool(cell.metadata.get("nbgrader", {}).get("solution"))


def is_task(cell: NotebookNode) -> bool:
    """Whether a released cell is a task that a student answers in cells of their own below it."""
    return bool(cell.metadata.get("nbgrader", {}).get("task"))


def texts_of(notebook: NotebookNode) -> dict[str, str]:
    """What a rebuilt notebook holds for a person to read, by the name of its cell: "" below a task without an
    answer."""
    by_id = {cell.get("id"): cell.source for cell in notebook.cells}
    names = {c.metadata.nbgrader.grade_id: c for c in notebook.cells if is_text(c) or is_task(c)}
    return {name: by_id.get(_id_below(cell), "") if is_task(cell) else cell.source for name, cell in names.items()}


def copy_texts(
    exercise: Exercise, cells: Sequence[Cell], notebook: NotebookNode
) -> tuple[tuple[Note, ...], tuple[int, ...]]:
    """Copy the texts of `cells` into `notebook`, which has the cells of the released one; return notes, and the numbers
    of the cells below tasks."""
    released = exercise.notebook
    notes: list[Note] = []
    below: list[tuple[int, str]] = []
    used: list[int] = []
    for index, cell in enumerate(released.cells):
        if is_text(cell):
            text = _text_of(released, index, cells)
            if text is not None and len(text.encode()) > MAX_ANSWER_BYTES:
                notes.append(_too_long(cell))
            elif text is not None:
                notebook.cells[index].source = harmless(text)
        elif is_task(cell):
            written = dict(_below(released, index, cells))
            used += written
            text = "\n\n".join(written.values())
            if len(text.encode()) > MAX_ANSWER_BYTES:
                notes.append(_too_long(cell))
            elif text.strip():
                below.append((index, text))
    for index, text in reversed(below):
        name = _id_below(released.cells[index])
        notebook.cells.insert(index + 1, nbformat.v4.new_markdown_cell(harmless(text), id=name))
    return tuple(notes), tuple(used)


def _id_below(task: NotebookNode) -> str:
    """The id of the cell that holds the answer to a task, of at most 64 characters, as notebooks require."""
    return f"answer-to-{task.metadata.nbgrader.grade_id}"[:64]


def _too_long(cell: NotebookNode) -> Note:
    name, limit = cell.metadata.nbgrader.grade_id, f"{MAX_ANSWER_BYTES // 1024} KB"
    text = f"The text for '{name}' is longer than {limit} and was left out."
    return Note(NoteKind.NO_ANSWER, text + " Shorten it and hand it in again.")


def _text_of(released: NotebookNode, index: int, cells: Sequence[Cell]) -> str | None:
    """The text of the cell with the released one's ids; where a system drops ids, of the cell that follows the
    question. Of several, the last one that differs from the released text counts."""
    stub = released.cells[index]
    found = [cell.source for cell in cells if _is(cell, stub)]
    if not found and index:
        known = {lean(cell.source) for cell in released.cells}
        question = lean(released.cells[index - 1].source)
        pairs = itertools.pairwise(cells)
        found = [
            after.source
            for cell, after in pairs
            if lean(cell.source) == question and after.kind == "markdown" and lean(after.source) not in known
        ]
    written = [text for text in found if lean(text) not in (lean(stub.source), "")]
    return written[-1] if written else None


def _below(released: NotebookNode, index: int, cells: Sequence[Cell]) -> Iterator[tuple[int, str]]:
    """What the student wrote for a task, as Markdown, by the number of its cell: into the task's own cell, and into
    those between it and the next released one."""
    task = released.cells[index]
    others = [cell for cell in released.cells if cell is not task]
    ids = {cell.get("id") for cell in others} | {c.metadata.get("nbgrader", {}).get("grade_id") for c in others}
    texts = {lean(cell.source) for cell in others}
    shown = {lean(task.source), lean(_MARK_SCHEME.sub("", task.source))}  # students don't get the marking scheme
    inside = False
    for number, cell in enumerate(cells):
        here = lean(cell.source) in shown or _is(cell, task)
        if here:
            inside = True
            if lean(cell.source) not in shown:
                yield number, cell.source
        elif {cell.grade_id, cell.cell_id} - {""} & ids or lean(cell.source) in texts:
            inside = False
        elif inside and cell.source.strip():
            yield number, cell.source if cell.kind == "markdown" else fenced(cell.source)


def _is(cell: Cell, released: NotebookNode) -> bool:
    name, cell_id = released.metadata.nbgrader.get("grade_id", ""), released.get("id", "")
    return bool((name and cell.grade_id == name) or (cell_id and cell.cell_id == cell_id))
