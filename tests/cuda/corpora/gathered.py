"""Reads a file with the headers of its own that it includes, as far as they can be found without a compiler."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.cuda.source.gather import Gathered, read_file
from autograder.cuda.source.text import ALLOWED_HEADERS, blank

_INCLUDE = re.compile(r"^[^\S\n]*#[^\S\n]*include\b[^\n]*$", re.MULTILINE)
_NAME = re.compile(r"<([^<>]*)>|\"([^\"]*)\"")


def gather(file: Path, folders: Sequence[Path] = ()) -> Gathered:
    """Read `file` and the headers that lie beside it or in `folders`, each once, in place of its first `#include`."""
    files: list[Path] = []
    taken = list(_lines(file, folders, files))
    text = "\n".join(line for line, *_ in taken)
    return Gathered(text, tuple((name, number) for _, name, number in taken), tuple(files))


def _lines(file: Path, folders: Sequence[Path], files: list[Path]) -> Iterator[tuple[str, str, int]]:
    """Each line, with its file's name and its number there."""
    files.append(file.resolve() if files else file)
    text = read_file(file)
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
