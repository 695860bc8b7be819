"""The versions of a student's notebooks that downloads hold, and whether they are one student's."""

from __future__ import annotations

import datetime
import filecmp
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..names import called
from ..submission.cells import read_cells
from ..submission.plain_files import UnreadableError
from .downloads import Found
from .roster import copy_number, numbers_of
from .uncollected import Uncollected, content_of


@dataclass
class Collected:
    """The outcome of collecting downloads.

    Args:
        new, replaced, unchanged: (student, exercise).
        notes: what the instructor should know, a line each.
        reported: what the class report repeats of these.
        left: the files that could not be placed.
        unknown: students who are not in the gradebook.
        moved: (student, the name under which a notebook of theirs lay while they were unknown).
        others: (name, student) of files that are no notebooks, of students who also handed in one.
        people, nameless: how many students the gradebook has, and how many of them without a first or a last name.
        times: (worksheet, how many students have their submission time from it).
        untimed: (students without a time though the chapter has a due date, what to do about it).
        names: of the students in the gradebook, by id.
    """

    new: list[tuple[str, str]] = field(default_factory=list)
    replaced: list[tuple[str, str]] = field(default_factory=list)
    unchanged: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    reported: list[Uncollected] = field(default_factory=list)
    left: list[Uncollected] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    moved: list[tuple[str, str]] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)
    people: int = 0
    nameless: int = 0
    times: tuple[str, int] = ("", 0)
    untimed: tuple[int, str] = (0, "")
    names: dict[str, str] = field(default_factory=dict)

    def called(self, student: str) -> str:
        """The student's name and id."""
        return called(student, self.names)


@dataclass(frozen=True)
class Version:
    """A student's version of a notebook, from the download `source`, which names the student `called`; `origin` is the
    name that the LMS gave it, if any, and `inside` the folder that contains it within the student's own. `trouble` says
    why the notebook cannot be read; "" if it can."""

    source: str
    found: Found
    content: Path
    called: str
    handed_in: datetime.datetime | None
    late: bool
    origin: str
    inside: str
    trouble: str

    @property
    def when(self) -> float:
        """When it was handed in, if that is known, or else last modified, in seconds since 1970."""
        return self.handed_in.timestamp() if self.handed_in else self.found.modified

    @property
    def rank(self) -> tuple[bool, float, int, str]:
        """The version with the greatest rank counts."""
        return not self.trouble, self.when, copy_number(self.found.parts[-1]), self.found.name


def trouble_of(content: Path) -> str:
    try:
        read_cells(content)
    except UnreadableError as error:
        return str(error)
    return ""


def of_one_student(
    versions: Mapping[tuple[str, str], list[Version]],
    ids: Collection[str],
    accounts: Mapping[str, str],
    origins: Mapping[str, str],
    done: Collected,
) -> dict[tuple[str, str], list[Version]]:
    """All `versions` but those under one name that may be several people's. They are added to `done.left`.

    Args:
        ids: of the known students. Of them, too, no two numbers may be in use: anybody may take another's name.
        accounts: by student, the number of their account in the LMS, if the gradebook has it. It identifies them.
        origins: by student, the name that the LMS gave an earlier submission.
    """
    of: dict[str, list[list[Version]]] = defaultdict(list)
    for (student, _), several in versions.items():
        of[student].append(several)
    doubtful = {}
    for student, mine in of.items():
        origin = origins.get(student, "")
        if student in ids:
            why = _two_numbers(student, mine, origin, accounts.get(student, ""))
        else:
            why = _doubt(student, mine, origin)
        if why:
            doubtful[student] = why
    for (student, exercise), several in versions.items():
        for version in several if student in doubtful else ():
            whose = student if student in ids else ""
            content = content_of(version.content)
            why = doubtful[student]
            done.left.append(Uncollected(version.found.name, why, version.source, whose, exercise, content))
    return {owner: several for owner, several in versions.items() if owner[0] not in doubtful}


def _two_numbers(student: str, mine: Sequence[Sequence[Version]], origin: str, account: str) -> str:
    """Why the versions under a known student's name may be somebody else's who took it, and what to do; "" if not."""
    names = [version.origin for several in mine for version in several]
    came, numbers = numbers_of(names), numbers_of([*names, origin])
    if len(numbers) < 2 or came == [account]:
        return ""
    return (
        f"Files came under {student}'s name with the numbers {' and '.join(numbers)}: somebody else may have taken "
        f"that name. Ask {student} which are theirs, and put them into a folder called {student}."
    )


def _doubt(student: str, mine: Sequence[Sequence[Version]], origin: str) -> str:
    """Why the versions of each exercise, all under one unknown name, may be several students', and what to do; "" if
    they are one's. Of people of one name, an LMS distinguishes the submissions by a number."""
    every = [version for several in mine for version in several]
    if any(len(numbers_of([version.origin, origin])) > 1 for version in every):
        why = f"files under that name came before as {origin}"
    elif all(version.origin for version in every):
        return ""
    elif len({version.inside for version in every} - {""}) > 1:
        why = "there are several folders under that name"
    elif not all(filecmp.cmp(v.content, several[0].content, shallow=False) for several in mine for v in several):
        why = "there are files that differ under that name"
    else:
        return ""
    return (
        f"'{student}' is not in the gradebook, and {why}: they may be several students'. Put the files of each into a "
        "folder with the student's id, or add who is meant (`nbgrader db student add`)."
    )
