"""Notes on a submission, for the student and the instructor, and how a graded notebook holds them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

import nbformat
from nbformat import NotebookNode

from ...cuda.report.vocabulary import printable

#: The key of a graded notebook's metadata that holds the notes.
METADATA = "autograder"
_DOLLAR, _BACKSLASH = "&#36;", "&#92;"


class NoteKind(StrEnum):
    """Why student and instructor get a note about a submission."""

    UNREADABLE = "not readable"
    MISSING = "missing"
    RENAMED = "renamed"
    RECOVERED = "recovered"
    SEVERAL = "several answers"
    MISPLACED = "perhaps answered elsewhere"
    NO_ANSWER = "no answer found"
    CHANGED = "read-only cells changed"
    EARLIER = "written for an earlier release"
    ADDED_CELLS = "cells of their own"
    INVISIBLE = "invisible characters"
    GRADER_FAULT = "grader fault"
    NOT_GRADED = "not graded"
    NOT_COLLECTED = "not collected"
    BESIDE = "not a notebook"
    VERSIONS = "several versions"
    LATE = "late"
    NO_TIME = "no submission time"
    ABSENT = "nothing handed in"
    NO_POINTS = "no points"
    UNKNOWN = "not in the gradebook"


#: Kinds that require no action; they are shown only with the notebook itself.
QUIET = frozenset({NoteKind.MISSING, NoteKind.ADDED_CELLS, NoteKind.ABSENT, NoteKind.EARLIER})
#: Kinds that report what was done, and leave nothing to do.
SETTLED = frozenset({NoteKind.RECOVERED, NoteKind.RENAMED, NoteKind.EARLIER})
#: Kinds for work that was not graded, so that points may follow.
UNGRADED = frozenset({NoteKind.UNREADABLE, NoteKind.NOT_COLLECTED, NoteKind.NOT_GRADED})
#: Kinds for answers where another text than the graded one may be meant, so that missing points may follow.
DOUBTFUL = frozenset({NoteKind.SEVERAL, NoteKind.MISPLACED})
#: Kinds for notebooks of which nothing was read.
UNREAD = frozenset({NoteKind.UNREADABLE, NoteKind.MISSING, NoteKind.NOT_COLLECTED})


@dataclass(frozen=True)
class Note:
    """One thing that the student (in the feedback) and the instructor (in the class report) should know: what happened,
    and what to do about it.

    Args:
        reason: for the instructor alone, because it may reveal a hidden test.
        instead: what the instructor reads in place of `text`, if the instructor must do something else.
    """

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
    """Whether points may follow for a notebook with these `notes` and the present `score`."""
    kinds = {note.kind for note in notes}
    return bool(kinds & UNGRADED) or (score < max_score and bool(kinds & DOUBTFUL))


def add_notes(notebook: NotebookNode, notes: Sequence[Note]) -> None:
    """Add `notes` to a graded notebook: as data, and in a first cell that the student reads."""
    stored = notebook.metadata.setdefault(METADATA, {}).setdefault("notes", [])
    stored += [asdict(note) for note in notes]
    if not stored:
        return
    lines = ["**About what you handed in**", ""]
    lines += [f"- {_as_markdown(note['text'])}" for note in stored]
    cell = nbformat.v4.new_markdown_cell("\n".join(lines), id="about-this-submission")
    if notebook.cells and notebook.cells[0].get("id") == cell.id:
        notebook.cells[0] = cell
    else:
        notebook.cells.insert(0, cell)


def read_notes(notebook: NotebookNode) -> tuple[Note, ...]:
    """Return the notes that `add_notes` stored."""
    stored = notebook.metadata.get(METADATA, {}).get("notes", [])
    return tuple(Note(NoteKind(n["kind"]), n["text"], n["reason"], n["instead"]) for n in stored)


def _as_markdown(text: str) -> str:
    """Escape `text`, which may quote a student, so that a page shows no markup, link, picture or formula."""
    signs = (sign if sign.isalnum() or sign in " ,'()" else f"&#{ord(sign)};" for sign in printable(text))
    # MathJax looks for formulas in what the page shows, but not across the borders of elements.
    return "".join(f"<span>{sign}</span>" if sign in (_DOLLAR, _BACKSLASH) else sign for sign in signs)
