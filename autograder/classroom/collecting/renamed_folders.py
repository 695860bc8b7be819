"""Folders of unknown students that a person has renamed since they were collected, as the report advises: whoever came
under the old name goes to the new one from then on.

What shows it is that the same bytes lie in one other folder. So the files of an unknown student are remembered as long
as nobody else has the same ones: two may hand in what neither has changed, or one what the other wrote.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...cuda.errors import UsageError
from ...exercises.authoring.nbgrader_app import SUBMITTED
from ...exercises.files import write_text
from ..classroom import Classroom
from .uncollected import content_of

#: Below the course's root.
FILE = Path("_build") / "grading" / "renamed.json"


@dataclass
class Renamed:
    """By former name, the student: `now`. By chapter, unknown student and exercise, a digest of the file:
    `collected`."""

    now: dict[str, str] = field(default_factory=dict)
    collected: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)


def read_renamed(room: Classroom, chapter: str) -> dict[str, str]:
    """By former name, the student whose folder it was renamed to.

    Raises:
        UsageError: the list cannot be read.
    """
    known = _read(room)
    collected = known.collected.get(chapter, {})
    there = _submitted(room, chapter) if collected else {}
    for former, files in collected.items():
        if former not in there and len(found := _with_all(files, there)) == 1:
            known.now[former] = found[0]
    return known.now


def keep_renamed(room: Classroom, chapter: str, now: Mapping[str, str], unknown: Collection[str]) -> None:
    """Keep which folders were renamed, and what was collected of `unknown` students.

    Raises:
        UsageError: the list cannot be read or written.
    """
    known = _read(room)
    before = known.collected.get(chapter, {})
    if not now and not unknown and not before:
        return
    there = _submitted(room, chapter)
    wanted = {who: there[who] for who in {*before, *unknown} if who in there}
    known.collected[chapter] = {who: files for who, files in wanted.items() if len(_with_all(files, there)) == 1}
    text = json.dumps({"now": dict(now), "collected": known.collected}, indent=1, sort_keys=True)
    write_text(room.root / FILE, text + "\n")


def _with_all(files: Mapping[str, str], there: Mapping[str, Mapping[str, str]]) -> list[str]:
    return [student for student, mine in there.items() if files and files.items() <= mine.items()]


def _submitted(room: Classroom, chapter: str) -> dict[str, dict[str, str]]:
    """By student and exercise, a digest of each notebook that lies below `submitted/`."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted((room.root / SUBMITTED).glob(f"*/{chapter}/*.ipynb")):
        found.setdefault(path.parts[-3], {})[path.stem] = content_of(path)
    return found


def _read(room: Classroom) -> Renamed:
    path = room.root / FILE
    try:
        return Renamed(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return Renamed()
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"{path} cannot be read ({error}). Delete it, and collect again.") from None
