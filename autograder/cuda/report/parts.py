"""The parts of a report's text: paragraphs and listings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A source line with who did what there.

    `who` is padded so that the rows of one listing align. If `column` (from 1, in `text`) is not
    0, a caret points at it; `note` follows below or beside the caret. If `text` is too long and
    gets cut, `focus` (from 1, 0: none) stays in sight, as `column` does.
    """

    who: str
    line: int
    text: str
    column: int = 0
    note: str = ""
    focus: int = 0


#: A paragraph (each of its lines begins on a new one), or a listing.
Part = str | tuple[Row, ...]
