"""Put the version that counts below `submitted/`, where a student may be able to write, too."""

from __future__ import annotations

import datetime
import errno
import filecmp
from collections.abc import Collection, Sequence
from pathlib import Path

from ...exercises.authoring.nbgrader_app import SUBMITTED
from ..submission.notes import NoteKind
from ..submission.plain_files import MAX_FILE_BYTES, UnreadableError, modified_at, read_plain, remove_plain, write_plain
from .uncollected import Uncollected
from .versions import Collected, Version, trouble_of

_TIMESTAMP = "timestamp.txt"  # nbgrader's; it decides who is late


def place(root: Path, chapter: str, owner: tuple[str, str], versions: Sequence[Version], done: Collected) -> None:
    student, exercise = owner
    best = versions[-1]
    subject = f"{done.called(student)}, {exercise}"
    folder = root / SUBMITTED / student / chapter
    target = folder / f"{exercise}.ipynb"
    if others := [v for v in versions[:-1] if not filecmp.cmp(v.content, best.content, shallow=False)]:
        names = ", ".join(v.found.name for v in others[:3]) + (f" and {len(others) - 3} more" if others[3:] else "")
        why = "the latest" if not any(v.trouble for v in others) else "the latest that can be read"
        why = f"{best.found.name} counts, {why}; not {names}."
        done.notes.append(f"{subject}: several versions. {why}")
        again = f"If another should, put it in the place of {SUBMITTED}/{student}/{chapter}/{exercise}.ipynb."
        several = f"{why} {again}"
        done.reported.append(Uncollected(names, several, best.source, student, exercise, kind=NoteKind.VERSIONS))
    if best.late:
        why = "The LMS says that it came late, but not when. If that matters, write the submission time into "
        why += f"{SUBMITTED}/{student}/{chapter}/{_TIMESTAMP} (such as 2026-03-01 12:00 UTC) and grade again."
        done.reported.append(Uncollected(best.found.name, why, best.source, student, exercise, kind=NoteKind.LATE))
    if any(path.is_symlink() for path in (folder.parent, folder, target)):
        why = f"{SUBMITTED}/{student}/{chapter} is a link or holds one. Put the files there."
        done.left.append(Uncollected(best.found.name, why, best.source, student, exercise))
        return
    if target.exists() and not target.is_file():
        raise FileExistsError(errno.EEXIST, "", str(target))
    if best.trouble:
        if target.exists() and not trouble_of(target):
            why = f"it could not be read: {best.trouble}. What was collected before stays. Ask for it again."
            done.left.append(Uncollected(best.found.name, why, best.source, student, exercise))
            return
        why = f"{subject}: {best.found.name} could not be read: {best.trouble}."
        done.notes.append(f"{why} It is collected as it is, and the feedback will say so. Ask for it again.")
    if not target.exists():
        done.new.append(owner)
    elif _bytes_at(target) == best.content.read_bytes():
        done.unchanged.append(owner)
        return
    elif modified_at(target) > best.when:
        shown = f"{SUBMITTED}/{student}/{chapter}/{exercise}.ipynb"
        done.notes.append(
            f"{subject}: {best.found.name} is older than {shown}, which stays. If it should not, delete it."
        )
        return
    else:
        done.replaced.append(owner)
        done.notes.append(f"{subject}: replaced by {best.found.name}, which is later.")
    write_plain(target, best.content.read_bytes(), best.when)
    if best.handed_in:
        stamp(folder, best.handed_in.astimezone(datetime.UTC))


def stamp(folder: Path, when: datetime.datetime) -> None:
    """Say in a student's folder when the last of its notebooks was handed in, in UTC.

    Raises:
        OSError: it cannot be written.
    """
    path = folder / _TIMESTAMP
    text = f"{when:%Y-%m-%d %H:%M:%S} UTC\n"
    try:
        before = read_plain(path, MAX_FILE_BYTES).decode(errors="replace")
    except UnreadableError:
        before = ""
    if before < text:
        write_plain(path, text.encode(), when.timestamp())


def _bytes_at(path: Path) -> bytes | None:
    """The bytes of a student's notebook; None if there is none, or none that was collected."""
    try:
        return read_plain(path, MAX_FILE_BYTES)
    except UnreadableError:
        return None


def take_from_unknown(
    root: Path,
    chapter: str,
    owner: tuple[str, str],
    versions: Sequence[Version],
    ids: Collection[str],
    done: Collected,
) -> None:
    """Remove a notebook that was collected under the name in a download, before the gradebook knew that student. It is
    kept unless this download holds it, too."""
    student, exercise = owner
    for former in sorted({version.called for version in versions} - {student, "", *ids}):
        target = root / SUBMITTED / former / chapter / f"{exercise}.ipynb"
        there = _bytes_at(target)
        if there is None:
            continue
        shown = (
            f"{done.called(student)}, {exercise}: {target.relative_to(root)}, collected while {student} was unknown,"
        )
        if not any(version.content.read_bytes() == there for version in versions):
            done.notes.append(f"{shown} is another version. If it does not count, delete it.")
            continue
        remove_plain(target, besides=[_TIMESTAMP])
        done.moved.append((student, former))
