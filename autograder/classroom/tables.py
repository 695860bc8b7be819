"""Tables as an LMS exports them: CSV in whatever encoding, with whatever separator."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..cuda.errors import UsageError
from ..cuda.report.vocabulary import printable

_SEPARATORS = ",;\t"


@dataclass(frozen=True)
class Line:
    """A line of a table: where it ends in the file, from 1, and its fields by `plain` heading."""

    number: int
    fields: Mapping[str, str]


@dataclass(frozen=True)
class Table:
    """A table: its headings as they are written, and the lines below them that hold anything."""

    header: tuple[str, ...]
    lines: tuple[Line, ...]

    def heading(self, names: Collection[str]) -> str:
        """The first heading that is one of `names`, however they are written; "" if there is none."""
        wanted = {plain(name) for name in names}
        return next((heading for heading in self.header if plain(heading) in wanted), "")


def plain(heading: str) -> str:
    """`heading` without what differs between systems: case, spaces and punctuation."""
    return re.sub(r"[\W_]+", "", heading).casefold()


def read_table(path: Path) -> Table:
    """The table in the file at `path`.

    Raises:
        UsageError: it cannot be read, or is none; the message says what to do.
    """
    try:
        return parse_table(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): name the table that the LMS exported.") from None
    except ValueError as error:
        raise UsageError(f"{path} cannot be read: {error}.") from None


def parse_table(content: bytes) -> Table:
    """The table that a file's `content` is.

    Raises:
        ValueError: it is none; the message says what to do.
    """
    if content[:2] == b"PK":
        raise ValueError("it is a spreadsheet or an archive; save or export it as CSV")
    try:
        text = content.decode(_encoding(content))
    except UnicodeDecodeError:
        raise ValueError("it is not in UTF-8; in a spreadsheet, save it as 'CSV UTF-8'") from None
    try:
        read = max((_read(text, sign) for sign in _SEPARATORS), key=lambda lines: len(lines[0][1]) if lines else 0)
    except csv.Error as error:
        raise ValueError(f"it is no CSV ({error}); export it again") from None
    if not read:
        raise ValueError("it is empty; export it again")
    header = tuple(printable(name).strip() for name in read[0][1])
    plains = [plain(name) for name in header]
    lines = (Line(number, dict(zip(plains, map(clean, fields), strict=False))) for number, fields in read[1:])
    return Table(header, tuple(lines))


def _encoding(content: bytes) -> str:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    if b"\0" in content[:2]:  # UTF-16 without the mark that says so
        return "utf-16-be" if content[0] == 0 else "utf-16-le"
    return "utf-8-sig"


def _read(text: str, separator: str) -> list[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    return [(reader.line_num, fields) for fields in reader if any(field.strip() for field in fields)]


def clean(field: str) -> str:
    """`field` on one line, without what a terminal would obey."""
    return " ".join(printable(field).split())
