"""Numbers the lines of a preprocessed text."""

from __future__ import annotations

import re
from pathlib import Path

from ...compiler.clang import PLACE
from ...compiler.places import MARKER
from ...source.gather import Gathered, read_file


def _plain(name: str) -> str:
    """Return a file's name as it is, of one that the preprocessor has written: it escapes signs, and bytes beyond
    ASCII."""

    def unescaped(found: re.Match[bytes]) -> bytes:
        return bytes([int(found[1], 8)]) if len(found[1]) == 3 else found[1]

    return re.sub(rb"\\([0-7]{3}|.)", unescaped, name.encode()).decode(errors="surrogateescape")


def number_lines(text: str, main: Path) -> tuple[str, Gathered]:
    """Return a text that the preprocessor has made of the file `main`, with the lines of the user's files numbered as
    those of one file, kernel.cu; and that file, which has one after the other. System headers stay what they are."""
    first: dict[Path, int] = {}
    lines, places = list[str](), list[tuple[str, int]]()

    def add(file: Path) -> int:
        if file not in first:
            first[file] = len(lines)
            texts = read_file(file).split("\n")
            lines.extend(texts)
            places.extend((file.name, number) for number in range(1, len(texts) + 1))
        return first[file]

    add(main)

    def renumbered(marker: re.Match[str]) -> str:
        name = _plain(marker[2])
        flags = "".join(f" {flag}" for flag in marker[3].split() if flag in ("3", "4"))
        if "3" in flags or name.startswith("<") or not Path(name).is_file():
            return f'# {marker[1]} "{marker[2]}"{flags}'
        return f'# {add(Path(name)) + int(marker[1])} "kernel.cu"'

    return MARKER.sub(renumbered, text), Gathered("\n".join(lines), tuple(places), tuple(first))


def number_log(log: str, gathered: Gathered) -> str:
    """Return the compiler's `log` with the lines of the user's files as those of `gathered`, in kernel.cu."""
    starts = [index for index, (_, line) in enumerate(gathered.lines) if line == 1]
    first = dict(zip(map(str, gathered.files), starts, strict=True))

    def numbered(place: re.Match[str]) -> str:
        start = first.get(place["file"])
        return place[0] if start is None else f"kernel.cu:{start + int(place['line'])}:"

    return PLACE.sub(numbered, log)
