"""What people call a student: by name, with the id that folders and tables know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nbgrader.api import Gradebook

#: The most students or notebooks that one line names.
MOST_NAMES = 5


@dataclass(frozen=True)
class Person:
    """A student in the gradebook: `id` names the folder, and the rest may be empty. `former` are the names of folders
    that were renamed to it."""

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_number: str = ""
    former: tuple[str, ...] = ()


def read_names(gradebook: Gradebook) -> dict[str, str]:
    """By id, the name of each student in the gradebook, "" where it has none."""
    return {person.id: whole_name(person.first_name, person.last_name) for person in gradebook.students}


def strangers(gradebook: Gradebook) -> set[str]:
    """The ids of students of whom only a folder is known: grading it entered them, and no list of students did. Where
    there is no list, so that nobody has more than an id, nobody is one."""
    known = {
        person.id: any((person.first_name, person.last_name, person.email, person.lms_user_id))
        for person in gradebook.students
    }
    return {student for student, listed in known.items() if not listed} if any(known.values()) else set()


def whole_name(first: str | None, last: str | None) -> str:
    """Both names; "" if there is none."""
    return " ".join(filter(None, (first, last)))


def called(student: str, names: Mapping[str, str]) -> str:
    """Such as "Ada Lovelace (ada)", or the id alone where no name is known."""
    return f"{name} ({student})" if (name := names.get(student, "")) else student


def some_of(things: Iterable[object], most: int = MOST_NAMES) -> str:
    """The first ones of `things`, `most` at most, and how many more there are."""
    words = [*map(str, things)]
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")
