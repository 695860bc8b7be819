"""Read the cells of a submitted notebook, whatever state the file is in. Nothing in it is trusted or run."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from .plain_files import MAX_FILE_BYTES, UnreadableError, read_plain

#: Of a notebook: cells, lines in them, and brackets in its JSON, each of which is an object in memory.
MAX_CELLS, MAX_LINES, MAX_BRACKETS = 10_000, 100_000, 300_000

#: Magics of IPython that run the cell below them.
_OTHER_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")

#: The fields of nbgrader's metadata that a student has no reason to change.
FLAGS = ("grade", "solution", "locked", "points")


@dataclass(frozen=True)
class Cell:
    """The text of one submitted cell, and what may show where it belongs ("" if unknown).
    `kind` is "code", "markdown" or "raw"; `source` has "\\n" line ends and is valid Unicode; `flags` are the values
    of `FLAGS`, None for a missing one."""

    source: str
    kind: str = "code"
    grade_id: str = ""
    cell_id: str = ""
    flags: tuple[object, ...] = (None,) * len(FLAGS)


def read_cells(path: Path) -> tuple[Cell, ...]:
    """The cells of the notebook at `path`, in order.

    Reads the JSON directly and not through nbformat, which stops at ids, versions and metadata
    that do not matter here. Formats 2 and 3 (`worksheets`, `input`) are understood as well as 4.

    Raises:
        UnreadableError: no such file, not a plain file, empty, larger than `MAX_FILE_BYTES`, not
            JSON, no notebook, or one of more than `MAX_CELLS`, `MAX_LINES` or `MAX_BRACKETS`.
    """
    raw = _text_of(path)
    if (brackets := raw.count(b"{") + raw.count(b"[")) > MAX_BRACKETS:
        raise UnreadableError(f"it has {brackets} brackets, more than {MAX_BRACKETS} (clear its outputs before saving)")
    try:
        data = json.loads(raw)
    except json.JSONDecodeError as error:
        if re.match(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b", raw, re.I):
            raise UnreadableError("it is a web page, not a notebook") from None
        raise UnreadableError(f"it is not JSON from line {error.lineno}, column {error.colno} on") from None
    except UnicodeDecodeError:
        raise UnreadableError("it is not text in UTF-8") from None
    except (ValueError, RecursionError):
        raise UnreadableError("its JSON has a number too long or lists nested too deep") from None
    cells = _cells(data)
    if len(cells) > MAX_CELLS:
        raise UnreadableError(f"it has {len(cells)} cells, more than {MAX_CELLS}")
    found = tuple(_cell(cell) for cell in cells if isinstance(cell, dict))
    if (lines := sum(cell.source.count("\n") for cell in found)) > MAX_LINES:
        raise UnreadableError(f"its cells have {lines} lines, more than {MAX_LINES}")
    return found


def lean(text: str) -> str:
    """Strip trailing spaces and empty last lines, which do not make an answer different."""
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n"))


def first_line(source: str) -> tuple[str, str]:
    """Return (first line with single spaces, text below it). Comments and other magics, such as `%%time`, may precede
    that line."""
    lines = source.split("\n")
    start = next((i for i, line in enumerate(lines) if not _may_precede(line)), len(lines) - 1)
    return " ".join(lines[start].split()), "\n".join(lines[start + 1 :])


def _may_precede(line: str) -> bool:
    line = line.strip()
    comment = not line or line.startswith(("#", "//")) or (line.startswith("/*") and line.endswith("*/"))
    return comment or line.split()[0] in _OTHER_MAGICS


def _text_of(path: Path) -> bytes:
    raw = read_plain(path, MAX_FILE_BYTES)
    if not raw.strip():
        raise UnreadableError("it is empty")
    return raw


def _cells(data: object) -> list[object]:
    if isinstance(data, dict):
        if isinstance(cells := data.get("cells"), list):
            return cells
        if isinstance(sheets := data.get("worksheets"), list):
            parts = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
            return [cell for part in parts if isinstance(part, list) for cell in part]
    raise UnreadableError("it is JSON, but no notebook: it has no cells")


def _cell(cell: dict[str, object]) -> Cell:
    metadata = cell.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return Cell(
        source=_text(cell.get("source", cell.get("input"))),
        kind=_text(cell.get("cell_type")),
        grade_id=_text(nbgrader.get("grade_id")) if isinstance(nbgrader, dict) else "",
        cell_id=_text(cell.get("id")),
        flags=tuple(nbgrader.get(flag) if isinstance(nbgrader, dict) else None for flag in FLAGS),
    )


def _text(value: object) -> str:
    """`value` (a string or a list of strings, anything else counts as "") as clean text: a lone
    surrogate, which JSON can spell, could not be written to a file later."""
    if isinstance(value, list):
        value = "".join(part for part in value if isinstance(part, str))
    if not isinstance(value, str):
        return ""
    text = value.encode("utf-8", "replace").decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")
