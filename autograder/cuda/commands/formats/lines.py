"""Writes what a run found as lines in the form of GCC's messages, which editors and problem matchers read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .sarif import level, place_of


def write(document: Mapping[str, Any]) -> str:
    """Return a line for each finding of the document of `--json`: `FILE:LINE:COLUMN: error: KIND: what happened`."""
    return "\n".join(line for finding in document["findings"] for line in _lines(finding, document))


def to_line(path: str | Path, line: int, column: int, level: str, kind: str, message: str) -> str:
    """One line; where there is no place in the text, its first character stands for it."""
    return f"{path}:{max(line, 1)}:{max(column, 1)}: {level}: {kind}: {message}"


def _lines(finding: Mapping[str, Any], document: Mapping[str, Any]) -> Iterator[str]:
    path, line, _, _ = place_of(finding, finding, document)
    kind = finding["kind"]
    if messages := finding["details"].get("messages"):  # of the compiler
        for line_in_file, column, text in messages if len(document["files"]) == 1 else messages[:1]:
            yield to_line(path, line_in_file if len(document["files"]) == 1 else line, column, level(kind), kind, text)
        return
    _, _, report = finding["report"].partition("\n\n")
    yield to_line(path, line, 1, level(kind), kind, " ".join(report.partition("\n\n")[0].split()).rstrip(":"))
