"""Whose a downloaded notebook is, and which exercise: read from the names that an LMS and a browser made of it.

| made by | such as |
|---|---|
| Moodle | `Ada Lovelace_1234567_assignsubmission_file_/saxpy.ipynb` (also without the folder) |
| Canvas | `lovelaceada_LATE_12345_678901_saxpy-1.ipynb` |
| Blackboard | `Memory_ada_attempt_2026-01-30-15-00-00_saxpy.ipynb` |
| others, or by hand | a folder or an archive for each student |
| Colab, browsers | `Copy of saxpy.ipynb`, `saxpy (1).ipynb` |

A name is looked up among the students of the gradebook. Students choose the end of a name and the folders within
their own, so what stands further out counts, or somebody could hand in for another.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

_MOODLE = re.compile(r"(?P<label>[^_]+)_(?P<participant>\d+)_assignsubmission_(?:file|onlinetext).*")
_CANVAS = re.compile(r"(?P<label>[^_]+)(?:_LATE)?_(?!20\d\d_[01]?\d_)(?P<user>\d+)_\d+_.+")  # and no date
_BLACKBOARD = re.compile(r"(?P<label>.+?)_attempt_(?P<date>\d{4}(?:-\d\d){5})(?:_.*)?")
_IN_PARENTHESES = re.compile(r"\(([^()]+)\)$")
_MAX_NAME = 100


class UnknownError(Exception):
    """It cannot be told whose a file is; the message says why, and what to do."""


@dataclass(frozen=True)
class Person:
    """A student as the gradebook knows them: `id` names the folder, and the rest may be empty."""

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_number: str = ""


class Roster:
    """Who may have handed in something.

    Args:
        people: those who are known.
    """

    def __init__(self, people: Iterable[Person]) -> None:
        self._known: dict[str, set[str]] = defaultdict(set)
        for who in people:
            names = (f"{who.first_name} {who.last_name}", f"{who.last_name} {who.first_name}")
            for text in (who.id, who.email, who.email.partition("@")[0], who.lms_number, *names):
                if plain := _plain(text):
                    self._known[plain].add(who.id)
        self._numbers: dict[str, set[str]] = defaultdict(set)

    def meet(self, parts: Sequence[str]) -> None:
        """Look at a name before any is asked for: two students of one name show only by their numbers."""
        if (said := _of_a_system(parts)) and said.number:
            self._numbers[said.label].add(said.number)

    def find(self, parts: Sequence[str]) -> str:
        """The id of the student whose file it is: `parts` are the folders in which it lies, and its name. Somebody who
        is not known has the name that stands there for an id.

        Raises:
            UnknownError: it cannot be told.
        """
        if said := _of_a_system(parts):
            found = self._look_up(said.user) or self._look_in(said.label)
        else:
            found = self._look_in(_stem(parts[0]))
        label = called(parts) or (_stem(parts[0]) if found else "")
        if len(found) > 1:
            several = " or ".join(sorted(found))
            raise UnknownError(f"'{label}' may be {several}. Put it into a folder with the right id.")
        if found:
            return min(found)
        if len(self._numbers[label]) > 1:
            raise UnknownError(
                f"Several students are called '{label}' there, and the gradebook knows none of them. "
                "Put the files of each into a folder with the student's id."
            )
        if not label:
            raise UnknownError("Its name does not say whose it is. Put it into a folder with the student's id.")
        if not _is_fit(label):
            raise UnknownError(f"'{label}' cannot be a student's id. Rename what is called so.")
        return label

    def recognizes(self, part: str) -> bool:
        """Whether one name, of a folder or a file, tells of a student by itself."""
        return bool(_of_a_system([part]) or self._look_in(_stem(part)))

    def _look_in(self, text: str) -> set[str]:
        """Those whom `text`, or the longest part of it, can mean: LMS and students put the names of groups, assignments
        and files before and behind."""
        words = re.split(r"[_-]", text)
        for length in range(len(words), 0, -1):
            runs = ["".join(words[i : i + length]) for i in range(len(words) - length + 1)]
            found = [self._look_up(run) for run in runs if length == len(words) or re.search(r"[^\W\d]", run)]
            if any(found):
                return set().union(*found)
        inside = _IN_PARENTHESES.search(text)
        return self._look_up(inside[1]) if inside else set()

    def _look_up(self, text: str) -> set[str]:
        return self._known.get(_plain(text), set())


def called(parts: Sequence[str]) -> str:
    """What stands for an id in the names of a file, where its student is not known; "" for nothing."""
    if said := _of_a_system(parts):
        label = said.label.rpartition("_")[2]  # behind the name of the assignment
    else:
        label = _stem(parts[0]) if len(parts) > 1 else ""
    return unicodedata.normalize("NFC", label).strip()


def handed_in_at(parts: Sequence[str]) -> datetime.datetime | None:
    """When a file was handed in, where the system says so in a name."""
    said = _of_a_system(parts)
    try:
        return datetime.datetime.strptime(said.date, "%Y-%m-%d-%H-%M-%S") if said and said.date else None
    except ValueError:
        return None


def exercise_named(name: str, exercises: Collection[str]) -> str | None:
    """The exercise that a file's name holds, the longest if there are several; None if there is none."""
    fitting = [e for e in exercises if re.search(rf"(?<![^\W_]){re.escape(e)}(?![^\W_])", _stem(name))]
    return max(fitting, key=len, default=None)


def copy_number(name: str) -> int:
    """The number that a browser or an LMS gave to a second version: 2 of "saxpy (2).ipynb" and "saxpy-2.ipynb"."""
    found = re.search(r"(?: ?\((\d{1,3})\)|-(\d{1,3}))$", _stem(name))
    return int(found[1] or found[2]) if found else 0


@dataclass(frozen=True)
class _Said:
    """What a name says that a system made: the student's name, the number that tells two of one name apart, the number
    of their account, and the date; "" where it does not."""

    label: str
    number: str
    user: str
    date: str


def _of_a_system(parts: Sequence[str]) -> _Said | None:
    for part in parts:
        for pattern in (_MOODLE, _CANVAS, _BLACKBOARD):
            if said := pattern.fullmatch(part):
                found = said.groupdict("")
                user = found.get("user", "")
                return _Said(found["label"], user or found.get("participant", ""), user, found.get("date", ""))
    return None


def _stem(name: str) -> str:
    return re.sub(r"(\.ipynb(\.txt|\.json)?|\.zip)$", "", name, flags=re.I)


def _plain(text: str) -> str:
    """`text` without what systems change in a name: case, accents, spaces and marks."""
    split = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in split.casefold() if sign.isalnum())


def _is_fit(student: str) -> bool:
    """Whether it can name a folder, and does no harm in a page, a table or a shell."""
    fit = all(sign.isalnum() or sign in " ._-@,'()" for sign in student)
    return fit and student[:1].isalnum() and len(student) <= _MAX_NAME and not student.endswith((".", " "))
