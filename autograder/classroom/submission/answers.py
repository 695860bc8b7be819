"""Find a student's answers: which text counts for each answer cell, and what to say about it."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ...exercises.notebook.answer_cells import MAGICS, Slot
from .handin import Cell

MAX_ANSWER_BYTES = 64 * 1024
#: Magics of IPython that run the cell below them.
_OTHER_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")
_KERNEL = re.compile(r"__global__\s+void\s+(?:__launch_bounds__\s*\([^)]{0,200}\)\s*)?(\w+)\s*\(")
#: From these likenesses on (of 1), a first line is a misspelling of another, and a first word is.
_CLOSE, _ALIKE = 0.8, 0.6
#: The most characters of a first line in a note.
_SHOWN = 60


class NoteKind(StrEnum):
    """Why student and instructor get a note about a hand-in."""

    UNREADABLE = "not readable"
    MISSING = "missing"
    RENAMED = "renamed"
    RECOVERED = "recovered"
    SEVERAL = "several answers"
    ELSEWHERE = "perhaps answered elsewhere"
    NO_ANSWER = "no answer found"
    CHANGED = "read-only cells changed"
    EARLIER = "written for an earlier release"
    OWN_CELLS = "cells of their own"
    INVISIBLE = "invisible characters"
    GRADER_FAULT = "grader fault"
    NOT_GRADED = "not graded"
    NOT_COLLECTED = "not collected"
    BESIDE = "not a notebook"
    VERSIONS = "several versions"
    LATE = "late"
    NO_TIME = "no time of handing in"
    ABSENT = "nothing handed in"
    NO_POINTS = "no points"
    UNKNOWN = "not in the gradebook"


#: Notes that call for no action; they are shown only with the notebook itself.
QUIET = frozenset({NoteKind.MISSING, NoteKind.OWN_CELLS, NoteKind.ABSENT, NoteKind.EARLIER})
#: Notes that say what was done, and leave nothing to do.
SETTLED = frozenset({NoteKind.RECOVERED, NoteKind.RENAMED, NoteKind.EARLIER})
#: Notes that say that something of a student's was not graded, so that points may follow.
UNGRADED = frozenset({NoteKind.UNREADABLE, NoteKind.NOT_COLLECTED, NoteKind.NOT_GRADED})
#: Notes that say that another text may have been meant than the one that was graded, so that missing points may follow.
DOUBTFUL = frozenset({NoteKind.SEVERAL, NoteKind.ELSEWHERE})
#: Notes that say that nothing of a student's was read.
UNREAD = frozenset({NoteKind.UNREADABLE, NoteKind.MISSING, NoteKind.NOT_COLLECTED})


@dataclass(frozen=True)
class Note:
    """One thing that the student (in the feedback) and the instructor (in the class report)
    should know: what happened, and what to do about it. `reason` is for the instructor alone: it may
    reveal a hidden test. `instead` is what the instructor reads in place of `text`, where there is something else to
    do."""

    kind: NoteKind
    text: str
    reason: str = ""
    instead: str = ""

    @property
    def in_full(self) -> str:
        """The text for the instructor."""
        text = self.instead or self.text
        return f"{text} ({self.reason})" if self.reason else text


def is_open(notes: Iterable[Note], score: float, max_score: float) -> bool:
    """Whether points may follow for a notebook with these `notes`, which got `score` so far."""
    kinds = {note.kind for note in notes}
    return bool(kinds & UNGRADED) or (score < max_score and bool(kinds & DOUBTFUL))


@dataclass(frozen=True)
class Answer:
    """Text that answers a slot, in the handed-in cells with the numbers `cells`, the first of which is of `kind`.
    `skipped` lines above its first line were left out; `said` is what was odd about where it stood."""

    body: str
    cells: tuple[int, ...]
    kind: str
    skipped: int = 0
    said: str = ""


def find_answer(slot: Slot, cells: Sequence[Cell], known: frozenset[str]) -> tuple[Answer | None, tuple[Note, ...]]:
    """What counts for `slot`, or None if there is nothing.

    An answer begins at a line that is exactly the slot's (spaces aside), and ends with its cell or at another slot's
    line. If several differ from the stub and from one another, the last one counts; one without text never does,
    since IPython would not run it. `known` holds the first lines of all slots of the notebook.
    """
    matching = [answer for number, cell in enumerate(cells) for answer in sections(slot, number, cell, known)]
    # A cell turned into Markdown by a slip of the keyboard still holds an answer; a kept older
    # version in a Markdown cell must not win over the code cell.
    matching = [a for a in matching if a.kind == "code"] or matching
    if not matching and (found := without_first_line(slot, cells, known)):
        matching = [found]
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
    return answer, (*_notes(slot, answer, written), *_outside(slot, answer, cells, known))


def _explain_emptiness(slot: Slot) -> Note:
    text = f"Nothing stands below '{slot.magic}', so there was no answer to grade."
    return Note(NoteKind.NO_ANSWER, text + " Write it there and hand it in again.")


def _notes(slot: Slot, answer: Answer, written: Sequence[Answer]) -> list[Note]:
    notes = []
    if (count := len({lean(a.body) for a in written})) > 1:
        text = f"{count} cells begin with '{slot.magic}' and differ: the last one in the notebook was graded."
        instead = f"{text} If another is meant, delete the others in the submitted notebook, and grade again."
        notes.append(Note(NoteKind.SEVERAL, text + " Keep one and delete the others.", instead=instead))
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


def _outside(slot: Slot, answer: Answer, cells: Sequence[Cell], known: frozenset[str]) -> Iterator[Note]:
    """A note on an answer in a cell of the student's own, where the answer cell itself came back without it."""
    mine = [(number, cell) for number, cell in enumerate(cells) if is_of(slot, cell)]
    own = [n for n, cell in mine if not cell.source.strip() or any(sections(slot, n, cell, known))]
    if own and answer.cells[0] not in own and not answer.said:
        text = f"The answer below '{slot.magic}' stood in another cell than the answer cell, and was graded from there."
        yield Note(NoteKind.RECOVERED, text + " Nothing else to do.")


def kernels_in(text: str) -> set[str]:
    """The names of the kernels that `text` seems to define."""
    return set(_KERNEL.findall(text))


def is_of(slot: Slot, cell: Cell) -> bool:
    """Whether a cell has the slot's ids."""
    by_name = bool(slot.grade_id) and cell.grade_id == slot.grade_id
    return by_name or (bool(slot.cell_id) and cell.cell_id == slot.cell_id)


def sections(slot: Slot, number: int, cell: Cell, known: frozenset[str]) -> Iterator[Answer]:
    """The parts of a cell that begin with the slot's line. No C++ holds such a line, so it marks a part even where a
    student joined two cells or wrote other lines above it."""
    lines = cell.source.split("\n")
    starts = [i for i, line in enumerate(lines) if line.lstrip()[:1] == "%" and " ".join(line.split()) in known]
    for i, end in zip(starts, [*starts, len(lines)][1:], strict=True):
        if " ".join(lines[i].split()) == slot.magic:
            skipped = sum(bool(line.strip()) for line in lines[:i]) if i == starts[0] else 0
            yield Answer("\n".join(lines[i + 1 : end]), (number,), cell.kind, skipped)


def without_first_line(slot: Slot, cells: Sequence[Cell], known: frozenset[str]) -> Answer | None:
    """The text of the slot's own cell, if that lost its first line or has it in another spelling; None if there is no
    such cell, or if several differ. The cell is known by its ids, by a misspelt line that is nearly the slot's, or by
    a kernel of the stub's name."""
    kernels = kernels_in(slot.stub)
    own: list[Answer] = []
    alike: list[Answer] = []
    for number, cell in enumerate(cells):
        _, first, body = split_magic(cell.source)
        if first in known:
            continue
        word = first.lstrip("> !").split(" ")[0]
        named = word in MAGICS or _likeness(word, slot.magic.split()[0]) > _ALIKE
        if first.startswith(("%", "!")) and not named:
            continue  # another language
        text = body if named else cell.source
        by_id = is_of(slot, cell)
        close = named and _likeness(first, slot.magic) > _CLOSE
        if not (by_id or close or kernels & kernels_in(text)):
            continue
        shown = f"begins with '{first if len(first) <= _SHOWN else first[: _SHOWN - 3] + '...'}' and not with"
        said = f"The answer cell {shown} '{slot.magic}': its text was graded all the same. Put that line back."
        (own if by_id else alike).append(Answer(text, (number,), cell.kind, 0, said))
    found = own or alike
    return found[0] if len({lean(answer.body) for answer in found}) == 1 else None


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one[:_SHOWN], other).ratio()


def split_magic(source: str) -> tuple[int, str, str]:
    """(number of lines above, first line with single spaces, text below it); comments and the magics of others, such
    as `%%time`, may stand above."""
    lines = source.split("\n")
    start = next((i for i, line in enumerate(lines) if not _may_stand_above(line)), len(lines) - 1)
    above = sum(bool(line.strip()) for line in lines[:start])
    return above, " ".join(lines[start].split()), "\n".join(lines[start + 1 :])


def _may_stand_above(line: str) -> bool:
    line = line.strip()
    comment = not line or line.startswith(("#", "//")) or (line.startswith("/*") and line.endswith("*/"))
    return comment or line.split()[0] in _OTHER_MAGICS


def lean(text: str) -> str:
    """`text` without trailing spaces and empty last lines, which do not make an answer different."""
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n"))


def _explain_absence(slot: Slot, cells: Sequence[Cell], known: frozenset[str]) -> Note:
    for cell in cells:
        _, first, _ = split_magic(cell.source)
        if first.startswith(slot.magic.split()[0]) and first not in known:
            shown = first if len(first) <= _SHOWN else first[: _SHOWN - 3] + "..."
            text = f"The answer cell begins with '{shown}' and not with '{slot.magic}', so it was not graded."
            return Note(NoteKind.NO_ANSWER, text + " Fix its first line and hand it in again.")
    text = f"No cell begins with '{slot.magic}', so there was no answer to grade."
    return Note(NoteKind.NO_ANSWER, text + " Put the line back above the answer and hand it in again.")
