"""A report as JSON data, and back: how a graded notebook keeps it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from . import picture
from .layout import Report
from .parts import Part, Row

#: The type under which a notebook's outputs hold a report as data.
MIME = "application/vnd.autograder.report+json"


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
