"""What `autograder collect` could not place, kept until somebody has dealt with it, so that the class report names it.

It is dealt with once what its student has of it below `submitted/` has changed; where nobody knows whose it is, once
the same bytes lie there; or once its download was collected again without it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ...compiler.cache import digest
from ...errors import UsageError
from ..classroom import SUBMITTED, Classroom
from ..results.pages import write_text
from ..submission.handin import MAX_FILE_BYTES

#: One file a chapter, below the course's root.
FOLDER = Path("_build") / "grading" / "uncollected"


@dataclass(frozen=True)
class Uncollected:
    """A file that was handed in and is not below `submitted/`.

    Args:
        name: what it is called in the download.
        why: why not, and what to do, one sentence or more.
        source: the download, as an absolute path.
        student, exercise: whose and which it is; "" where that is not known.
        content: a digest of its bytes; "" where they were not read.
        state: a digest of what the student had of it below `submitted/` when this was told.
    """

    name: str
    why: str
    source: str
    student: str = ""
    exercise: str = ""
    content: str = ""
    state: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.why}"


def read_uncollected(room: Classroom, chapter: str) -> tuple[Uncollected, ...]:
    """What nobody has dealt with yet, in the order in which it was told.

    Raises:
        UsageError: the list cannot be read.
    """
    path = room.root / FOLDER / f"{chapter}.json"
    try:
        told = [Uncollected(**one) for one in json.loads(path.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"{path} cannot be read ({error}). Delete it, and collect again.") from None
    return tuple(one for one in told if not _is_dealt_with(room, chapter, one))


def keep_uncollected(room: Classroom, chapter: str, sources: Sequence[Path], found: Collection[Uncollected]) -> None:
    """Keep what was `found` in `sources`, in the place of what was found there before.

    Raises:
        UsageError: the list cannot be read or written.
    """
    again = {str(source.resolve()) for source in sources}
    kept = [one for one in read_uncollected(room, chapter) if one.source not in again]
    kept += [replace(one, state=_state(room, chapter, one)) for one in found]
    text = json.dumps([asdict(one) for one in kept], indent=1)
    write_text(room.root / FOLDER / f"{chapter}.json", text + "\n")


def content_of(path: Path) -> str:
    """A digest of the file's bytes; "" where it is no notebook that can be read."""
    try:
        return digest(path.read_bytes().hex()) if path.stat().st_size <= MAX_FILE_BYTES else ""
    except OSError:
        return ""


def _is_dealt_with(room: Classroom, chapter: str, one: Uncollected) -> bool:
    if one.student:
        return _state(room, chapter, one) != one.state
    top = room.root / SUBMITTED
    return bool(one.content) and any(content_of(path) == one.content for path in top.glob(f"*/{chapter}/*.ipynb"))


def _state(room: Classroom, chapter: str, one: Uncollected) -> str:
    if not one.student:
        return ""
    folder = room.root / SUBMITTED / one.student / chapter
    return digest(*(f"{path.name} {content_of(path)}" for path in sorted(folder.glob(f"{one.exercise or '*'}.ipynb"))))
