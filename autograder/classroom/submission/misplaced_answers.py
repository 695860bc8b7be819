"""Answers that stand outside their cells: a cell that was split in two, or CUDA in a cell of the student's own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nbformat import NotebookNode

from ...cuda.source.text import blank
from ...exercises.notebook.answer_cells import MAGICS, Slot
from .answers import MAX_ANSWER_BYTES, Answer, Note, NoteKind, lean, split_magic
from .handin import Cell

_CUDA = re.compile(r"\b(__global__|__device__|__shared__|__syncthreads|threadIdx|blockIdx)\b")


def join_split(answer: Answer, cells: Sequence[Cell], released: NotebookNode) -> Answer:
    """`answer` with the rest of its cell, if that was split: its braces do not close, and those of the cells of the
    student's own that follow it close them. Together they are no longer than an answer may be."""
    if not (still_open := _open_braces(answer.body)):
        return answer
    body, used = answer.body, list(answer.cells)
    for number in range(answer.cells[-1] + 1, len(cells)):
        if not _is_own(cells[number], released):
            break
        more = cells[number].source
        if len(body) + len(more) > MAX_ANSWER_BYTES or len((body + more).encode()) >= MAX_ANSWER_BYTES:
            break
        body, used = f"{body.rstrip()}\n{more}", [*used, number]
        still_open += _open_braces(more)
        if not still_open:
            text = f"The answer stood in {len(used)} cells, which were graded as one. Merge them."
            return replace(answer, body=body, cells=tuple(used), said=f"{answer.said} {text}".strip())
    return answer


def find_elsewhere(
    slot: Slot, answer: Answer | None, cells: Sequence[Cell], used: Sequence[int], released: NotebookNode
) -> tuple[Note, ...]:
    """A note where a slot has no answer, or one that breaks off, and cells of the student's own hold CUDA."""
    written = answer is not None and adds_code(slot, answer.body)
    if answer and written and not _open_braces(answer.body):
        return ()
    found = [
        number + 1
        for number, cell in enumerate(cells)
        if number not in used and _is_own(cell, released) and _CUDA.search(blank(cell.source))
    ]
    if not found:
        return ()
    which = f"cell {found[0]} of the notebook" if len(found) == 1 else f"cells {', '.join(map(str, found))} of it"
    what = f"The answer below '{slot.magic}' breaks off" if written else f"Nothing was written below '{slot.magic}'"
    text = f"{what}, but {which} holds CUDA outside of the answer cells, which was not graded."
    return (Note(NoteKind.ELSEWHERE, text + f" If it is meant, put it below '{slot.magic}' and hand it in again."),)


def adds_code(slot: Slot, text: str) -> bool:
    """Whether `text` is more than the slot's stub with other comments."""
    return blank(text).split() != blank(slot.stub).split()


def _is_own(cell: Cell, released: NotebookNode) -> bool:
    """Whether a code cell is one that the student added. A part of a split cell may have the name of the whole."""
    ids = {c.get("id", "") for c in released.cells} - {""}
    texts = {lean(c.source) for c in released.cells}
    first = split_magic(cell.source)[1]
    return (
        cell.kind == "code"
        and cell.cell_id not in ids
        and not first.startswith(MAGICS)
        and (lean(cell.source) not in texts)
    )


def _open_braces(text: str) -> int:
    code = blank(text)
    return code.count("{") - code.count("}")
