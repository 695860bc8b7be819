"""The text of a `.cu` file and of the headers of its own that it includes."""

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

    def tell(self, report: str) -> str:
        """A report on the text with the lines as their own files count them."""
        return "\n".join(self._tell_line(line) for line in report.split("\n"))

    def own(self, line: int) -> tuple[str, int]:
        """The header ("" for the file itself) and the line there."""
        name, own = self.lines[line - 1] if 1 <= line <= len(self.lines) else ("", line)
        return ("" if name == self.files[0].name else name), own

    def place(self, line: int) -> str:
        """The line's number; in a header, behind its name: `tile.h:12`."""
        name, own = self.own(line)
        return f"{name}:{own}" if name else str(own)

    def name_place(self, line: int) -> str:
        """The line with its file's name: `blur.cu line 12`."""
        name, own = self.own(line)
        return f"{name or self.files[0].name} line {own}"

    def _tell_line(self, line: str) -> str:
        # Behind a number in a table stands the code, which may speak of lines itself.
        return _SHOWN.sub(self._shown, line, count=1 if _ROW.search(line) else 0)

    def _shown(self, found: re.Match[str]) -> str:
        name, own = self.own(int(found[2]))
        return f"{name}{' ' if name else ''}line{found[1]}{own:>{len(found[2])}}"


def read_file(file: Path) -> str:
    """A file's text. Raises UsageError: it cannot be read."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")  # comments of another time; in code, such a character is refused
