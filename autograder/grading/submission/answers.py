"""Find a student's answers: which text counts for each answer cell, and what to say about it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from nbformat import NotebookNode

from ...errors import GraderFault
from .handin import Cell

MAGICS = ("%%cuda", "%%values")
MAX_ANSWER_BYTES = 64 * 1024


class NoteKind(StrEnum):
    """Why student and instructor get a note about a hand-in."""

    UNREADABLE = "not readable"
    MISSING = "missing"
    RENAMED = "renamed"
    RECOVERED = "recovered"
    SEVERAL = "several answers"
    NO_ANSWER = "no answer found"
    CHANGED = "read-only cells changed"
    OWN_CELLS = "cells of their own"
    INVISIBLE = "invisible characters"
    GRADER_FAULT = "grader fault"
    NOT_GRADED = "not graded"
    NOT_COLLECTED = "not collected"
    ABSENT = "nothing handed in"
    UNKNOWN = "not in the gradebook"


#: Notes that call for no action; they are shown only with the notebook itself.
QUIET = frozenset({NoteKind.MISSING, NoteKind.OWN_CELLS, NoteKind.ABSENT})


@dataclass(frozen=True)
class Note:
    """One thing that the student (in the feedback) and the instructor (in the class report)
    should know: what happened, and what to do about it. `reason` is for the instructor alone: it may
    reveal a hidden test."""

    kind: NoteKind
    text: str
    reason: str = ""

    @property
    def in_full(self) -> str:
        """The text for the instructor."""
        return f"{self.text} ({self.reason})" if self.reason else self.text


@dataclass(frozen=True)
class Slot:
    """One answer cell of a released notebook: its position, first line and stub."""

    index: int
    magic: str
    stub: str
    grade_id: str
    cell_id: str


@dataclass(frozen=True)
class _Answer:
    """A handed-in cell that begins with a slot's line; `skipped` lines above it were left out."""

    body: str
    skipped: int
    kind: str


def slots(released: NotebookNode) -> tuple[Slot, ...]:
    """The answer cells of a released notebook, in order.

    Raises:
        GraderFault: an answer cell that does not begin with `%%cuda name` or `%%values name`, or
            two that begin alike.
    """
    found: list[Slot] = []
    for index, cell in enumerate(released.cells):
        nbgrader = cell.metadata.get("nbgrader", {})
        if not nbgrader.get("solution"):
            continue
        grade_id = nbgrader.get("grade_id", "")
        magic, _, stub = cell.source.partition("\n")
        words = magic.split()
        if cell.cell_type != "code" or len(words) != 2 or words[0] not in MAGICS:
            raise GraderFault(f"answer cell '{grade_id}' must begin with '%%cuda name' or '%%values name'.")
        slot = Slot(index, " ".join(words), stub, grade_id, cell.get("id", ""))
        if any(other.magic == slot.magic for other in found):
            raise GraderFault(f"two answer cells begin with '{slot.magic}'.")
        found.append(slot)
    return tuple(found)


def find_answer(slot: Slot, cells: Sequence[Cell], known: frozenset[str]) -> tuple[str | None, tuple[Note, ...]]:
    """The text that counts for `slot` (below its first line), or None if there is none.

    A cell is an answer if its first line is exactly the slot's (spaces aside; blank and
    comment lines above are skipped). If several differ from the stub and from one another,
    the last one counts; one without text never does, since IPython would not run it. `known`
    holds the first lines of all slots of the notebook.
    """
    matching = [answer for cell in cells if (answer := _match(slot, cell))]
    # A cell turned into Markdown by a slip of the keyboard still holds an answer; a kept older
    # version in a Markdown cell must not win over the code cell.
    matching = [a for a in matching if a.kind == "code"] or matching
    if not matching:
        return None, (_explain_absence(slot, cells, known),)
    written = [a for a in matching if lean(a.body) not in (lean(slot.stub), "")]
    if not written:
        return None, () if any(lean(a.body) for a in matching) else (_explain_emptiness(slot),)
    answer = written[-1]
    if len(answer.body.encode()) > MAX_ANSWER_BYTES:
        limit = f"{MAX_ANSWER_BYTES // 1024} KB"
        text = f"The answer below '{slot.magic}' is longer than {limit} and was not graded."
        return None, (Note(NoteKind.NO_ANSWER, text + " Shorten it and hand it in again."),)
    return answer.body, tuple(_notes(slot, answer, written))


def _explain_emptiness(slot: Slot) -> Note:
    text = f"Nothing stands below '{slot.magic}', so there was no answer to grade."
    return Note(NoteKind.NO_ANSWER, text + " Write it there and hand it in again.")


def _notes(slot: Slot, answer: _Answer, written: Sequence[_Answer]) -> list[Note]:
    notes = []
    if (count := len({lean(a.body) for a in written})) > 1:
        text = f"{count} cells begin with '{slot.magic}' and differ: the last one in the notebook was graded."
        notes.append(Note(NoteKind.SEVERAL, text + " Keep one and delete the others."))
    if answer.skipped:
        text = f"'{slot.magic}' was not the first line of its cell: the lines above it were left out."
        notes.append(Note(NoteKind.RECOVERED, text + " Nothing else to do."))
    if answer.kind != "code":
        text = f"The cell that begins with '{slot.magic}' was no code cell; its text was graded all the same."
        notes.append(Note(NoteKind.RECOVERED, text + " Nothing else to do."))
    if unseen := [sign for sign in answer.body if unicodedata.category(sign) in ("Cc", "Cf") and sign not in "\n\t"]:
        line = answer.body[: answer.body.index(unseen[0])].count("\n") + 1
        where = f"the first (U+{ord(unseen[0]):04X}) in line {line} below that"
        text = f"The answer below '{slot.magic}' holds characters that cannot be seen, {where}. Type the line anew."
        notes.append(Note(NoteKind.INVISIBLE, text))
    return notes


def _match(slot: Slot, cell: Cell) -> _Answer | None:
    skipped, first, body = split_magic(cell.source)
    return _Answer(body, skipped, cell.kind) if first == slot.magic else None


def split_magic(source: str) -> tuple[int, str, str]:
    """(number of comment lines above, first line with single spaces, text below it)."""
    lines = source.split("\n")
    start = next((i for i, line in enumerate(lines) if not _is_comment(line)), len(lines) - 1)
    comments = sum(bool(line.strip()) for line in lines[:start])
    return comments, " ".join(lines[start].split()), "\n".join(lines[start + 1 :])


def _is_comment(line: str) -> bool:
    line = line.strip()
    return not line or line.startswith(("#", "//")) or (line.startswith("/*") and line.endswith("*/"))


def lean(text: str) -> str:
    """`text` without trailing spaces and empty last lines, which do not make an answer different."""
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n"))


def _explain_absence(slot: Slot, cells: Sequence[Cell], known: frozenset[str]) -> Note:
    by_grade_id = [c for c in cells if slot.grade_id and c.grade_id == slot.grade_id]
    by_cell_id = [c for c in cells if slot.cell_id and c.cell_id == slot.cell_id]
    by_magic = [c for c in cells if split_magic(c.source)[1].startswith(slot.magic.split()[0])]
    for cell in (*by_grade_id, *by_cell_id, *by_magic):
        _, first, _ = split_magic(cell.source)
        if first not in known:
            shown = first if len(first) <= 60 else first[:57] + "..."
            text = f"The answer cell begins with '{shown}' and not with '{slot.magic}', so it was not graded."
            return Note(NoteKind.NO_ANSWER, text + " Fix its first line and hand it in again.")
    text = f"No cell begins with '{slot.magic}', so there was no answer to grade."
    return Note(NoteKind.NO_ANSWER, text + " Put the line back above the answer and hand it in again.")
