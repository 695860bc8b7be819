"""Reads a `.cu` file together with the headers of its own that it includes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import UsageError
from .text import ALLOWED_HEADERS, blank

#: Most characters of a file and its headers.
_MAX = 8_000_000
_INCLUDE = re.compile(r"^[^\S\n]*#[^\S\n]*include\b[^\n]*$", re.MULTILINE)
_NAME = re.compile(r"<([^<>]*)>|\"([^\"]*)\"")
_SHOWN = re.compile(r"\bline( +)(\d+)\b")
_ROW = re.compile(r"\bline +\d+   ")


@dataclass(frozen=True)
class Gathered:
    """A file's text, where each of its headers stands in place of its first `#include`. `lines` says where each line of
    the text that is reported on comes from: the file's name and the line there. `files` are the file and its headers.
    """

    text: str
    lines: tuple[tuple[str, int], ...]
    files: tuple[Path, ...]

    def tell(self, report: str) -> str:
        """A report on the text with the lines as their own files count them."""
        return "\n".join(self._tell_line(line) for line in report.split("\n"))

    def without_blanks(self, text: str) -> tuple[str, Gathered]:
        """What is left of the text, without the headers' blank lines; lines have changed, columns have not."""
        kept = []
        spliced = False
        for line, place in zip(text.split("\n"), self.lines, strict=True):
            if line.strip() or spliced or place[0] == self.files[0].name:
                kept.append((line.rstrip(), place))
            spliced = line.endswith("\\")
        return "\n".join(line for line, _ in kept), replace(self, lines=tuple(place for _, place in kept))

    def own(self, line: int) -> tuple[str, int]:
        """The header ("" for the file itself) and the line there."""
        name, own = self.lines[line - 1] if 1 <= line <= len(self.lines) else ("", line)
        return ("" if name == self.files[0].name else name), own

    def place(self, line: int) -> str:
        """The line's number; in a header, behind its name: `tile.h:12`."""
        name, own = self.own(line)
        return f"{name}:{own}" if name else str(own)

    def _tell_line(self, line: str) -> str:
        # Behind a number in a table stands the code, which may speak of lines itself.
        return _SHOWN.sub(self._shown, line, count=1 if _ROW.search(line) else 0)

    def _shown(self, found: re.Match[str]) -> str:
        name, own = self.own(int(found[2]))
        return f"{name}{' ' if name else ''}line{found[1]}{own:>{len(found[2])}}"


def gather(file: Path, folders: Sequence[Path] = (), defined: Sequence[str] = ()) -> Gathered:
    """Read `file` and the headers that lie beside it or in `folders`, each once. Other headers stay names. Macros that
    are `defined`, as NAME or NAME=TEXT, stand at the top.

    Raises:
        UsageError: the file can't be read, or all is too long; the message says what to do.
    """
    files: list[Path] = []
    macros = [(f"#define {name} {value or '1'}", "-D", 1) for name, _, value in (d.partition("=") for d in defined)]
    taken = [*macros, *_lines(file, folders, files)]
    text = "\n".join(line for line, *_ in taken)
    if len(text) > _MAX:
        raise UsageError(f"{file} has {len(text)} characters, more than {_MAX}: put the kernel in its own file.")
    return Gathered(text, tuple((name, number) for _, name, number in taken), tuple(files))


def _lines(file: Path, folders: Sequence[Path], files: list[Path]) -> Iterator[tuple[str, str, int]]:
    """Each line, with its file's name and its number there."""
    files.append(file.resolve() if files else file)
    text = _read(file)
    includes = dict(_includes(text, file, folders))
    for number, line in enumerate(text.split("\n"), 1):
        header = includes.get(number)
        if header is None:
            yield line, file.name, number
        elif header.resolve() not in files:
            yield from _lines(header, folders, files)
        else:
            yield "", file.name, number


def _includes(text: str, file: Path, folders: Sequence[Path]) -> Iterator[tuple[int, Path]]:
    """The lines that include a header that is there, and where it is."""
    for directive in _INCLUDE.finditer(blank(text)):
        found = _NAME.search(text, *directive.span())
        name = (found[1] or found[2] or "").strip() if found else ""
        if not name or name in ALLOWED_HEADERS:
            continue
        for folder in (file.parent, *folders):
            if (folder / name).is_file():
                yield text.count("\n", 0, directive.start()) + 1, folder / name
                break


def _read(file: Path) -> str:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")  # comments of another time; in code, such a character is refused
