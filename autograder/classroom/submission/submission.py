"""One student's cells for one exercise: which text counts as each answer, and what differs from what was released.

nbgrader would execute whatever a notebook holds. Here every submission is rebuilt from the released notebook, and only
the text below an answer cell's first line is taken from the student: no cell, metadata, output, attachment or Python.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import nbformat
from nbformat import NotebookNode

from ...cuda.source.text import blank
from ...exercises.notebook.answer_cells import MAGICS, Slot
from .cells import FLAGS, Cell, first_line, lean
from .exercise import Exercise
from .notes import Note, NoteKind
from .texts import MAX_ANSWER_BYTES, copy_texts

_KERNEL = re.compile(r"__global__\s+void\s+(?:__launch_bounds__\s*\([^)]{0,200}\)\s*)?(\w+)\s*\(")
_CUDA = re.compile(r"\b(__global__|__device__|__shared__|__syncthreads|threadIdx|blockIdx)\b")
#: From these similarities on (of 1), a first line is a misspelling of another, and a first word is.
_CLOSE, _ALIKE = 0.8, 0.6
#: The most characters of a first line, and the most cells, that a note names.
_SHOWN, _MOST_CELLS = 60, 3


@dataclass(frozen=True)
class Answer:
    """Text that answers a slot, from the submitted cells with the numbers `cells`, the first of which is of `kind`.
    `skipped` lines above its first line were left out; `oddity` is what a note reports about its place."""

    body: str
    cells: tuple[int, ...]
    kind: str
    skipped: int = 0
    oddity: str = ""


class Submission:
    """A student's answers to one exercise.

    Args:
        exercise: the released exercise.
        cells: what the student submitted, in order.
    """

    def __init__(self, exercise: Exercise, cells: Sequence[Cell]) -> None:
        self._exercise, self._cells = exercise, cells

    def rebuild(self) -> tuple[NotebookNode, tuple[Note, ...]]:
        """Return a copy of the released notebook with the student's answers, and notes on what was odd."""
        notebook = nbformat.from_dict(self._exercise.notebook)
        notes: list[Note] = []
        found: dict[Slot, Answer | None] = {}
        for slot in self._exercise.slots:
            answer, more = self._find_answer(slot)
            found[slot] = answer = answer and self._join_split(answer)
            notes += more
            if answer:
                notebook.cells[slot.index].source = f"{slot.magic}\n{answer.body}"
                notes += [Note(NoteKind.RECOVERED, answer.oddity)] if answer.oddity else []
        used = {number for answer in found.values() if answer for number in answer.cells}
        misplaced = [note for slot, answer in found.items() for note in self._misplaced(slot, answer, used)]
        of_texts, below = copy_texts(self._exercise, self._cells, notebook)
        notes += [*misplaced, *of_texts, *self._changes()]
        # A cell that is reported as perhaps an answer needs no second note that it does not count.
        return notebook, (*notes, *(() if misplaced else self._added_cells(used.union(below))))

    def answers_any(self) -> bool:
        """Whether a cell begins with the first line of an answer cell."""
        return any(first_line(cell.source)[0] in self._exercise.magics for cell in self._cells)

    def is_answered(self, slot: Slot) -> bool:
        """Whether the answer to `slot` is more than the stub with other comments."""
        answer, _ = self._find_answer(slot)
        return answer is not None and _adds_code(slot, answer.body)

    def written_sections(self, slot: Slot) -> list[str]:
        """Return the texts below the slot's first line, wherever it is, that add code to the stub."""
        return [a.body for a in self._sections(slot) if _adds_code(slot, a.body) and a.body.strip()]

    def _find_answer(self, slot: Slot) -> tuple[Answer | None, tuple[Note, ...]]:
        """Return the answer that counts for `slot`, or None, and notes.

        An answer begins at a line that is exactly the slot's (spaces aside), and ends with its cell or at another
        slot's line. If several differ from the stub and from one another, the last one counts; one without text never
        does, since IPython would not run it.
        """
        matching = list(self._sections(slot))
        # A cell turned into Markdown by a slip of the keyboard still holds an answer; an older version that was left
        # in a Markdown cell must not win over the code cell.
        matching = [a for a in matching if a.kind == "code"] or matching
        if not matching and (found := self._without_first_line(slot)):
            matching = [found]
        if not matching:
            return None, (self._explain_absence(slot),)
        written = [a for a in matching if lean(a.body) not in (lean(slot.stub), "")]
        if not written:
            text = f"There is nothing below '{slot.magic}', so there was no answer to grade."
            note = Note(NoteKind.NO_ANSWER, text + " Write it there and hand it in again.")
            return None, () if any(lean(a.body) for a in matching) else (note,)
        answer = written[-1]
        if len(answer.body.encode()) > MAX_ANSWER_BYTES:
            limit = f"{MAX_ANSWER_BYTES // 1024} KB"
            text = f"The answer below '{slot.magic}' is longer than {limit} and was not graded."
            return None, (Note(NoteKind.NO_ANSWER, text + " Shorten it and hand it in again."),)
        return answer, (*_notes(slot, answer, written), *self._outside_its_cell(slot, answer))

    def _sections(self, slot: Slot) -> Iterator[Answer]:
        for number in range(len(self._cells)):
            yield from self._sections_of(slot, number)

    def _sections_of(self, slot: Slot, number: int) -> Iterator[Answer]:
        """The parts of a cell that begin with the slot's line. No C++ holds such a line, so it marks a part even where
        a student joined two cells or wrote other lines above it."""
        cell = self._cells[number]
        lines = cell.source.split("\n")
        known = self._exercise.magics
        starts = [i for i, line in enumerate(lines) if line.lstrip()[:1] == "%" and " ".join(line.split()) in known]
        for i, end in zip(starts, [*starts, len(lines)][1:], strict=True):
            if " ".join(lines[i].split()) == slot.magic:
                skipped = sum(bool(line.strip()) for line in lines[:i]) if i == starts[0] else 0
                yield Answer("\n".join(lines[i + 1 : end]), (number,), cell.kind, skipped)

    def _without_first_line(self, slot: Slot) -> Answer | None:
        """The text of the slot's cell, if that lost its first line or has it in another spelling; None if there is no
        such cell, or if several differ. The cell is known by its ids, by a misspelt line that is nearly the slot's, or
        by a kernel of the stub's name."""
        kernels = kernels_in(slot.stub)
        identified: list[Answer] = []
        alike: list[Answer] = []
        for number, cell in enumerate(self._cells):
            first, body = first_line(cell.source)
            if first in self._exercise.magics:
                continue
            word = first.lstrip("> !").split(" ")[0]
            named = word in MAGICS or _similarity(word, slot.magic.split()[0]) > _ALIKE
            if first.startswith(("%", "!")) and not named:
                continue  # another language
            text = body if named else cell.source
            by_id = _is_of(slot, cell)
            close = named and _similarity(first, slot.magic) > _CLOSE
            if by_id or close or kernels & kernels_in(text):
                begins = f"begins with '{_shortened(first)}' and not with '{slot.magic}'"
                oddity = f"The answer cell {begins}: its text was graded all the same. Put that line back."
                (identified if by_id else alike).append(Answer(text, (number,), cell.kind, 0, oddity))
        found = identified or alike
        return found[0] if len({lean(answer.body) for answer in found}) == 1 else None

    def _explain_absence(self, slot: Slot) -> Note:
        for cell in self._cells:
            first, _ = first_line(cell.source)
            if first.startswith(slot.magic.split()[0]) and first not in self._exercise.magics:
                begins = f"begins with '{_shortened(first)}' and not with '{slot.magic}'"
                text = f"The answer cell {begins}, so it was not graded. Fix its first line and hand it in again."
                return Note(NoteKind.NO_ANSWER, text)
        text = f"No cell begins with '{slot.magic}', so there was no answer to grade."
        return Note(NoteKind.NO_ANSWER, text + " Put the line back above the answer and hand it in again.")

    def _outside_its_cell(self, slot: Slot, answer: Answer) -> Iterator[Note]:
        """A note on an answer in a cell that the student added, where the answer cell itself came back without it."""
        mine = [n for n, cell in enumerate(self._cells) if _is_of(slot, cell)]
        mine = [n for n in mine if not self._cells[n].source.strip() or any(self._sections_of(slot, n))]
        if mine and answer.cells[0] not in mine and not answer.oddity:
            where = "stood in another cell than the answer cell, and was graded from there"
            yield Note(NoteKind.RECOVERED, f"The answer below '{slot.magic}' {where}. Nothing else to do.")

    def _join_split(self, answer: Answer) -> Answer:
        """`answer` with the rest of its cell, if that was split: its braces do not close, and those of the added cells
        that follow it close them. Together they are no longer than an answer may be."""
        if not (still_open := _open_braces(answer.body)):
            return answer
        body, used = answer.body, list(answer.cells)
        for number in range(answer.cells[-1] + 1, len(self._cells)):
            if not self._is_added(self._cells[number]):
                break
            more = self._cells[number].source
            if len(body) + len(more) > MAX_ANSWER_BYTES or len((body + more).encode()) >= MAX_ANSWER_BYTES:
                break
            body, used = f"{body.rstrip()}\n{more}", [*used, number]
            still_open += _open_braces(more)
            if not still_open:
                text = f"The answer stood in {len(used)} cells, which were graded as one. Merge them."
                return replace(answer, body=body, cells=tuple(used), oddity=f"{answer.oddity} {text}".strip())
        return answer

    def _misplaced(self, slot: Slot, answer: Answer | None, used: Collection[int]) -> Iterator[Note]:
        """A note where a slot has no answer, or one that breaks off, and cells that the student added hold CUDA."""
        written = answer is not None and _adds_code(slot, answer.body)
        if answer and written and not _open_braces(answer.body):
            return
        found = [
            number + 1
            for number, cell in enumerate(self._cells)
            if number not in used and self._is_added(cell) and _CUDA.search(blank(cell.source))
        ]
        if found:
            several = f"cells {', '.join(map(str, found))} of it"
            which = several if len(found) > 1 else f"cell {found[0]} of the notebook"
            below = f"below '{slot.magic}'"
            what = f"The answer {below} breaks off" if written else f"Nothing was written {below}"
            text = f"{what}, but {which} holds CUDA outside of the answer cells, which was not graded."
            yield Note(NoteKind.MISPLACED, f"{text} If it is meant, put it {below} and hand it in again.")

    def _is_added(self, cell: Cell) -> bool:
        """Whether a code cell is one that the student added. A part of a split cell may have the name of the whole."""
        unknown = cell.cell_id not in self._exercise.ids and lean(cell.source) not in self._exercise.sources
        return cell.kind == "code" and unknown and not first_line(cell.source)[0].startswith(MAGICS)

    def _changes(self) -> Iterator[Note]:
        """Notes on cells that are not for answers: changed, deleted, with other marks. (The order of cells, what they
        printed, and what nbgrader does not read do not matter.)"""
        # Its text identifies a cell even if its name was lost on the way, as on Colab.
        texts = {lean(cell.source) for cell in self._cells}
        absent = {
            cell.metadata.nbgrader.grade_id: cell
            for cell, given_value in self._exercise.code
            if _is_read_only(cell) and not given_value & texts
        }
        back = {(cell.grade_id, cell.cell_id) for cell in self._cells}
        changed = [name for name, cell in absent.items() if (name, cell.get("id", "")) in back]
        deleted = [name for name in absent if name not in changed]
        marks = (cell.metadata.get("nbgrader", {}) for cell in self._exercise.notebook.cells)
        flags = {mark.get("grade_id"): tuple(map(mark.get, FLAGS)) for mark in marks}
        given = ((cell.grade_id, cell.flags) for cell in self._cells if cell.grade_id)
        marked = list(dict.fromkeys(name for name, given_value in given if flags.get(name, given_value) != given_value))
        notes = []
        for names, what in (
            (changed, "Read-only cells came back with another text"),
            (deleted, "Read-only cells did not come back"),
            (marked, "Cells came back with other marks than they had (points, or what they are for)"),
        ):
            if names:
                shown = ", ".join(f"'{name}'" for name in names[:_MOST_CELLS])
                shown += f" and {len(names) - _MOST_CELLS} more" if len(names) > _MOST_CELLS else ""
                text = f"{what} ({shown}): they were graded as released. Nothing that was done to them counts."
                notes.append(Note(NoteKind.CHANGED, text))
        if notes and self._exercise.is_of_earlier_release(self._cells):
            text = "The notebook is from an earlier release. Its answers were graded with the current one."
            notes = [Note(NoteKind.EARLIER, text + " Nothing else to do.")]
        yield from notes

    def _added_cells(self, used: Collection[int]) -> Iterator[Note]:
        """A note on how many code cells the student added or duplicated, besides those `used`, and attempts at one."""
        left: Counter[str] = Counter()
        names: set[str] = set()
        for released, texts in self._exercise.code:
            left.update(texts)
            names |= {released.metadata.get("nbgrader", {}).get("grade_id", ""), released.get("id", "")} - {""}
        known, count = set(left), 0
        for number, cell in enumerate(self._cells):
            text = lean(cell.source)
            if number in used or cell.kind != "code" or not text or first_line(cell.source)[0].startswith(MAGICS):
                continue
            left[text] -= 1
            twice = text in known and left[text] < 0
            count += twice or (text not in known and not {cell.grade_id, cell.cell_id} & names)
        if count:
            text = f"{count} {'cell' if count == 1 else 'cells'} beside the released ones: not run, and not graded."
            yield Note(NoteKind.ADDED_CELLS, text + " Only the answer cells count. Nothing else to do.")


def kernels_in(text: str) -> set[str]:
    """Return the names of the kernels that `text` seems to define."""
    return set(_KERNEL.findall(text))


def _notes(slot: Slot, answer: Answer, written: Sequence[Answer]) -> Iterator[Note]:
    if (count := len({lean(a.body) for a in written})) > 1:
        text = f"{count} cells begin with '{slot.magic}' and differ: the last one in the notebook was graded."
        instead = f"{text} If another is meant, delete the others in the submitted notebook, and grade again."
        yield Note(NoteKind.SEVERAL, text + " Keep one and delete the others.", instead=instead)
    if answer.skipped:
        text = f"'{slot.magic}' was not the first line of its cell: the lines above it were left out."
        yield Note(NoteKind.RECOVERED, text + " Nothing else to do.")
    if answer.kind != "code":
        text = f"The cell that begins with '{slot.magic}' was no code cell; its text was graded all the same."
        yield Note(NoteKind.RECOVERED, text + " Nothing else to do.")
    if unseen := [sign for sign in answer.body if unicodedata.category(sign) in ("Cc", "Cf") and sign not in "\n\t"]:
        line = answer.body[: answer.body.index(unseen[0])].count("\n") + 1
        where = f"the first (U+{ord(unseen[0]):04X}) in line {line} below that"
        text = f"The answer below '{slot.magic}' holds characters that cannot be seen, {where}. Type the line anew."
        yield Note(NoteKind.INVISIBLE, text)


def _is_of(slot: Slot, cell: Cell) -> bool:
    """Whether a cell has the slot's ids."""
    by_name = bool(slot.grade_id) and cell.grade_id == slot.grade_id
    return by_name or (bool(slot.cell_id) and cell.cell_id == slot.cell_id)


def _is_read_only(cell: NotebookNode) -> bool:
    nbgrader = cell.metadata.get("nbgrader", {})
    return bool(nbgrader.get("locked")) and not nbgrader.get("solution")


def _adds_code(slot: Slot, text: str) -> bool:
    return blank(text).split() != blank(slot.stub).split()


def _open_braces(text: str) -> int:
    code = blank(text)
    return code.count("{") - code.count("}")


def _similarity(left: str, other: str) -> float:
    return difflib.SequenceMatcher(None, left[:_SHOWN], other).ratio()


def _shortened(line: str) -> str:
    return line if len(line) <= _SHOWN else line[: _SHOWN - 3] + "..."
