"""The source of a `.cu` file and of the user's headers that it includes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError

_SHOWN = re.compile(r"\bline( +)(\d+)\b")
_ROW = re.compile(r"\bline +\d+   ")


@dataclass(frozen=True)
class Gathered:
    """The texts of a file and of its headers, one after the other. `lines` says where each line of the text comes from:
    the file's name and the line there. `files` are the file and its headers."""

    text: str
    lines: tuple[tuple[str, int], ...]
    files: tuple[Path, ...]

    def with_file_lines(self, report: str) -> str:
        """Return a report on the text with line numbers replaced by those in each file."""
        return "\n".join(self._with_file_line(line) for line in report.split("\n"))

    def place_in_file(self, line: int) -> tuple[str, int]:
        """Return the header ("" for the file itself) and the line there."""
        name, number = self.lines[line - 1] if 1 <= line <= len(self.lines) else ("", line)
        return ("" if name == self.files[0].name else name), number

    def place(self, line: int) -> str:
        """Return the line's number; in a header, after its name: `tile.h:12`."""
        name, number = self.place_in_file(line)
        return f"{name}:{number}" if name else str(number)

    def name_place(self, line: int) -> str:
        """Return the line with its file's name: `blur.cu line 12`."""
        name, number = self.place_in_file(line)
        return f"{name or self.files[0].name} line {number}"

    def _with_file_line(self, line: str) -> str:
        # In a table, code follows the number, and may itself mention lines.
        return _SHOWN.sub(self._shown, line, count=1 if _ROW.search(line) else 0)

    def _shown(self, found: re.Match[str]) -> str:
        name, number = self.place_in_file(int(found[2]))
        return f"{name}{' ' if name else ''}line{found[1]}{number:>{len(found[2])}}"


def read_file(file: Path) -> str:
    """Return a file's text. Raises UsageError: it cannot be read."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")  # comments of another time; in code, such a character is refused
