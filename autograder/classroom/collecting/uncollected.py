"""What `autograder collect` reports of a file, stored for the class report until somebody has dealt with it: that it
could not be placed, that it is no notebook, that another version counts, that it came late.

A file is dealt with once its student's copy below `submitted/` has changed; if its student is unknown, once the same
bytes lie there; or once its download was collected again without it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path

from ...cuda.compiler.cache import digest
from ...cuda.errors import UsageError
from ...exercises.authoring.nbgrader_app import SUBMITTED
from ...exercises.files import write_text
from ..classroom import Classroom
from ..submission.notes import NoteKind
from ..submission.plain_files import MAX_FILE_BYTES, UnreadableError, read_plain

#: One file a chapter, below the course's root.
FOLDER = Path("_build") / "grading" / "uncollected"


@dataclass(frozen=True)
class Uncollected:
    """A file that was handed in, and what a person must know about it.

    Args:
        name: its name in the download.
        why: what became of it, and what to do, one sentence or more.
        source: the download, as an absolute path.
        student, exercise: to whom and to what it belongs; "" if unknown.
        content: a digest of its bytes; "" if they were not read.
        state: a digest of the student's copy below `submitted/` at the time.
        kind: what it is about, in words for people.
    """

    name: str
    why: str
    source: str
    student: str = ""
    exercise: str = ""
    content: str = ""
    state: str = ""
    kind: str = NoteKind.NOT_COLLECTED

    def __str__(self) -> str:
        return f"{self.name}: {self.why}"


def read_uncollected(room: Classroom, chapter: str) -> tuple[Uncollected, ...]:
    """The files that nobody has dealt with yet, in the order in which they were reported.

    Raises:
        UsageError: the list cannot be read.
    """
    path = room.root / FOLDER / f"{chapter}.json"
    try:
        stored = [Uncollected(**item) for item in json.loads(path.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"{path} cannot be read ({error}). Delete it, and collect again.") from None
    now = _Submitted(room, chapter)
    return tuple(item for item in stored if not now.deals_with(item))


def keep_uncollected(room: Classroom, chapter: str, sources: Sequence[Path], found: Collection[Uncollected]) -> None:
    """Keep what was `found` in `sources`, instead of what was found before in them and in all that lies there, also by
    collecting a folder around them.

    Raises:
        UsageError: the list cannot be read or written.
    """
    again = {str(source.resolve()) for source in sources}
    stored = [item for item in read_uncollected(room, chapter) if again.isdisjoint(_places(item))]
    now = _Submitted(room, chapter)
    stored += [replace(item, state=now.state(item)) for item in found]
    text = json.dumps([asdict(item) for item in stored], indent=1)
    write_text(room.root / FOLDER / f"{chapter}.json", text + "\n")


def _places(item: Uncollected) -> Iterator[str]:
    """The file, and each archive and folder that it lies in."""
    path = Path(item.source, item.name)
    yield from map(str, (path, *path.parents))


def content_of(path: Path) -> str:
    """A digest of the file's bytes; "" if it is no plain file, or none that can be read."""
    try:
        return digest(read_plain(path, MAX_FILE_BYTES))
    except UnreadableError:
        return ""


class _Submitted:
    """What lies below `submitted/`, each file read once."""

    def __init__(self, room: Classroom, chapter: str) -> None:
        self._top, self._chapter = room.root / SUBMITTED, chapter
        self._states: dict[tuple[str, str], str] = {}

    def deals_with(self, item: Uncollected) -> bool:
        if item.student:
            return self.state(item) != item.state
        return bool(item.content) and item.content in self._contents

    def state(self, item: Uncollected) -> str:
        if not item.student:
            return ""
        key = (item.student, item.exercise)
        if key not in self._states:
            paths = sorted((self._top / item.student / self._chapter).glob(f"{item.exercise or '*'}.ipynb"))
            self._states[key] = digest(*(part for path in paths for part in (path.name, content_of(path))))
        return self._states[key]

    @cached_property
    def _contents(self) -> set[str]:
        return {content_of(path) for path in self._top.glob(f"*/{self._chapter}/*.ipynb")}
