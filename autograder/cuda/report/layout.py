"""A report, its layout in a terminal, and as JSON data, which a graded notebook keeps. There are no sentences here."""

from __future__ import annotations

import textwrap
from dataclasses import asdict, dataclass, replace
from typing import Any

from . import picture
from .parts import Part, Row
from .picture import Timeline

#: No line of a report is longer than this many characters, and no line of prose than `PROSE`.
WIDTH = 100
PROSE = 80
_LABEL = 8
#: The type under which a notebook's outputs hold a report as data.
MIME = "application/vnd.autograder.report+json"


@dataclass(frozen=True)
class Report:
    """One report: its first line, the case, what happened, the rule and where to read on.

    Only `title` is always there; the other fields are empty if there is nothing to say. `kinds` names the
    findings that the report is about, the reported one first. `picture` shows the same; a terminal does without.
    """

    title: str
    where: str = ""
    parts: tuple[Part, ...] = ()
    hint: str = ""
    read: str = ""
    kinds: tuple[str, ...] = ()
    picture: Timeline | None = None

    def __str__(self) -> str:
        return to_text(self)


def to_text(report: Report) -> str:
    """`report` as plain text of at most `WIDTH` columns, with no newline at its end."""
    head = "\n".join(_fill(text) for text in (report.title, report.where) if text)
    parts = [_fill(part) if isinstance(part, str) else _listing(part) for part in report.parts]
    labeled = [("Hint", report.hint), ("Read", report.read)]
    foot = "\n".join(_labeled(label, text) for label, text in labeled if text)
    return "\n\n".join(text for text in (head, *parts, foot) if text)


def cut(text: str, room: int) -> str:
    """Return the start of `text` in at most `room` characters."""
    return _window(text, 0, room)[0]


def _fill(text: str) -> str:
    return "\n".join(textwrap.fill(line, PROSE, break_on_hyphens=False) for line in text.split("\n"))


def _labeled(label: str, text: str) -> str:
    indent = " " * _LABEL
    return textwrap.fill(
        text, PROSE, initial_indent=label.ljust(_LABEL), subsequent_indent=indent, break_on_hyphens=False
    )


def _listing(rows: tuple[Row, ...]) -> str:
    digits = max(len(str(row.line)) for row in rows)
    lines = []
    for row in rows:
        who = f"{row.who}   " if row.who else ""
        start = f"    {who}line {row.line:>{digits}}   "
        indent = " " * len(start)
        text, column = _window(row.text, row.column or row.focus, WIDTH - len(start))
        lines.append(start + text)
        caret = " " * (column - 1) + "^" if row.column else ""
        if caret and len(indent + caret + row.note) < WIDTH:
            lines.append(f"{indent}{caret} {row.note}".rstrip())
            continue
        if caret:
            lines.append(indent + caret)
        if row.note:
            lines.append(textwrap.fill(row.note, WIDTH, initial_indent=indent, subsequent_indent=indent))
    return "\n".join(lines)


def _window(text: str, column: int, room: int) -> tuple[str, int]:
    """At most `room` characters of `text`, chosen so that `column` and what follows it stay in sight."""
    if len(text) > room and column > room // 2:
        dropped = min(column - room // 3, len(text) + 1 - room + len("..."))
        text, column = "..." + text[dropped:], column - dropped + len("...")
    return (text if len(text) <= room else text[: room - 3] + "..."), column


def to_data(report: Report) -> dict[str, Any]:
    """`report` as values that JSON can hold."""
    parts = [part if isinstance(part, str) else [asdict(row) for row in part] for part in report.parts]
    drawn = picture.to_data(report.picture) if report.picture else None
    return {**asdict(replace(report, picture=None)), "parts": parts, "kinds": list(report.kinds), "picture": drawn}


def from_data(data: dict[str, Any]) -> Report:
    """The report that `to_data` was given.

    Raises:
        KeyError, TypeError, ValueError: it is not what `to_data` gives.
    """
    parts: list[Part] = [part if isinstance(part, str) else tuple(map(_row, part)) for part in data["parts"]]
    drawn = picture.from_data(data["picture"]) if data.get("picture") else None
    return Report(**{**data, "parts": tuple(parts), "kinds": tuple(data["kinds"]), "picture": drawn})


def _row(row: dict[str, Any]) -> Row:
    return Row(**{**row, "line": int(row["line"]), "column": int(row["column"]), "focus": int(row["focus"])})
