"""Cells that came back different from how they were released. None of that counts, but the instructor is told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from nbformat import NotebookNode

from ...exercises.notebook.answer_cells import MAGICS, slots
from .answers import Note, NoteKind, lean, split_magic
from .handin import FLAGS, Cell

#: How many cells a note names.
_SHOWN = 3


def find_tampering(released: NotebookNode, cells: Sequence[Cell]) -> tuple[Note, ...]:
    """Notes on cells that are not for answers: changed, deleted, with other marks. (The order of cells, what
    they printed, and what nbgrader does not read do not matter.)"""
    read_only = {
        cell.metadata.nbgrader.grade_id: cell
        for cell in released.cells
        if cell.cell_type == "code" and _is_read_only(cell)
    }
    # Its text identifies a cell even if its name was lost on the way, as on Colab.
    texts = {lean(cell.source) for cell in cells}
    absent = {name: cell for name, cell in read_only.items() if not _texts(cell) & texts}
    back = {(cell.grade_id, cell.cell_id) for cell in cells}
    changed = [name for name, cell in absent.items() if (name, cell.get("id", "")) in back]
    deleted = [name for name in absent if name not in changed]
    marked = _marked_otherwise(released, cells)
    notes = []
    for names, what in (
        (changed, "Read-only cells came back with another text"),
        (deleted, "Read-only cells did not come back"),
        (marked, "Cells came back with other marks than they had (points, or what they are for)"),
    ):
        if names:
            shown = ", ".join(f"'{name}'" for name in names[:_SHOWN])
            shown += f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            text = f"{what} ({shown}): they were graded as released. Nothing that was done to them counts."
            notes.append(Note(NoteKind.CHANGED, text))
    return tuple(notes)


def count_own(released: NotebookNode, cells: Sequence[Cell]) -> Note | None:
    """A note on how many of `cells` the student added."""
    if not (count := _count_own(released, cells)):
        return None
    text = f"{count} {'cell' if count == 1 else 'cells'} beside the released ones: not run, and not graded."
    return Note(NoteKind.OWN_CELLS, text + " Only the answer cells count. Nothing else to do.")


def _is_read_only(cell: NotebookNode) -> bool:
    nbgrader = cell.metadata.get("nbgrader", {})
    return bool(nbgrader.get("locked")) and not nbgrader.get("solution")


def _texts(cell: NotebookNode) -> set[str]:
    """The texts that a student's copy may have: here with hidden tests, there without."""
    without = re.sub(r"\n?### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", cell.source, flags=re.S)
    return {lean(cell.source), lean(without)}


def _marked_otherwise(released: NotebookNode, cells: Sequence[Cell]) -> list[str]:
    marks = [cell.metadata.get("nbgrader", {}) for cell in released.cells]
    own = {given.get("grade_id"): tuple(map(given.get, FLAGS)) for given in marks}
    found = [cell.grade_id for cell in cells if cell.grade_id and own.get(cell.grade_id, cell.flags) != cell.flags]
    return list(dict.fromkeys(found))


def _count_own(released: NotebookNode, cells: Sequence[Cell]) -> int:
    """How many code cells the student added or duplicated, not counting answers and attempts at one."""
    left: Counter[str] = Counter()
    names = {slot.grade_id for slot in slots(released)} | {slot.cell_id for slot in slots(released)} - {""}
    for cell in released.cells:
        if cell.cell_type == "code":
            left.update(_texts(cell))
            names |= {cell.metadata.get("nbgrader", {}).get("grade_id", ""), cell.get("id", "")} - {""}
    known, count = set(left), 0
    for cell in cells:
        text = lean(cell.source)
        if cell.kind != "code" or not text or split_magic(cell.source)[1].startswith(MAGICS):
            continue
        left[text] -= 1
        twice = text in known and left[text] < 0
        count += twice or (text not in known and not {cell.grade_id, cell.cell_id} & names)
    return count
