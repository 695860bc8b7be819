"""Which of the names in a download identify a student, and which of the things in a folder are downloads themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..lms import listings
from .downloads import Found
from .listings import name_folders
from .roster import Roster


@dataclass(frozen=True)
class Download:
    """The files of a download at `path`. Their first `drop` names are of what holds it all, and identify nobody; nor
    does the name of `chapter`."""

    path: Path
    files: tuple[Found, ...]
    drop: int
    chapter: str

    def place_of(self, file: Found) -> int:
        """Where in its parts the first of these names stands."""
        last = len(file.parts) - 1
        return next((n for n in range(self.drop, last) if file.parts[n] != self.chapter), last)

    def identifying_parts(self, file: Found) -> list[str]:
        """The names that may identify who handed in `file`, one of the files."""
        return [*(part for part in file.parts[self.drop : -1] if part != self.chapter), file.parts[-1]]


def downloads_in(
    source: Path, read: Sequence[Found], roster: Roster, words: Collection[str], chapter: str
) -> tuple[list[Download], list[Path]]:
    """What was `read` in `source`, as one download; or as several, if `source` is a folder in which nothing is called
    after a student, and each archive and folder holds files of several people. (A student's own folder or archive may
    hold what its owner likes.) Among students' files, what holds several people's is left out, and its path returned.

    Args:
        words: which words the list of students holds.
    """
    whole = _opened(source, read, roster, words, chapter)
    inside: dict[str, list[Found]] = defaultdict(list)
    loose: list[Found] = []
    for file in read:
        (inside[file.parts[0]] if len(file.parts) > 1 else loose).append(file)
    if len(inside) + bool(loose) < 2 or any(file.parts[0] in listings() for file in loose):
        return [whole], []
    parts = [_opened(source / top, files, roster, words, chapter) for top, files in inside.items()]
    several = [part for part in parts if _is_of_a_class(part, roster)]
    if several == parts and not any(roster.recognizes(file.parts[0]) or _is_notebook(file) for file in loose):
        return [*parts, replace(whole, files=tuple(loose))], []
    stray = {part.path.name for part in several}
    mine = tuple(file for file in whole.files if file.parts[0] not in stray)
    return [replace(whole, files=mine)], [source / top for top in sorted(stray)]


def _opened(path: Path, read: Sequence[Found], roster: Roster, words: Collection[str], chapter: str) -> Download:
    """A download. The name of an archive, or of a folder in a folder, is a teacher's or the LMS's, unless it is a
    student's."""
    files = tuple(name_folders(read, words))
    found = [file.parts for file in files if not file.trouble]
    within = bool(files) and all(file.parts[0] == path.name for file in files) and not roster.recognizes(path.name)
    above = int(within and all(len(parts) > 1 for parts in found))
    return Download(path, files, above + _common([parts[above:] for parts in found], roster, chapter), chapter)


def _is_of_a_class(part: Download, roster: Roster) -> bool:
    """Whether it is called after nobody and holds files of several people: in a folder, as an LMS names them."""
    if roster.recognizes(part.path.name):
        return False
    names = {part.identifying_parts(file)[0] for file in part.files}
    is_folder = part.path.is_dir()
    known = [name for name in names if (roster.origin([name]) if is_folder else roster.recognizes(name))]
    return len({roster.called([name]) for name in known}) > 1


def _is_notebook(file: Found) -> bool:
    return file.content is not None


def _common(names: Sequence[tuple[str, ...]], roster: Roster, chapter: str) -> int:
    """How many of the outermost folders or archives hold everything, and so do not identify a student. Of what holds
    one student's files alone, none: it may be that student's."""
    drop = 0
    while len({parts[: drop + 1] for parts in names}) == 1 and not roster.recognizes(names[0][drop]):
        below = [[*(part for part in parts[drop + 1 : -1] if part != chapter), parts[-1]] for parts in names]
        if not all(len(parts) > 1 or roster.origin(parts) for parts in below):
            break
        drop += 1
    return drop if len({parts[drop] for parts in names if len(parts) > drop}) > 1 else 0
