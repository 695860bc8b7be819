"""What people call a student: by name, with the id that folders and tables know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nbgrader.api import Gradebook

#: The most students or notebooks that one line names.
MOST_NAMES = 5


def read_names(gradebook: Gradebook) -> dict[str, str]:
    """By id, the name of each student in the gradebook, "" where it has none."""
    return {one.id: " ".join(filter(None, (one.first_name, one.last_name))) for one in gradebook.students}


def called(student: str, names: Mapping[str, str]) -> str:
    """Such as "Ada Lovelace (ada)", or the id alone where no name is known."""
    return f"{name} ({student})" if (name := names.get(student, "")) else student


def some_of(things: Iterable[str]) -> str:
    """The first few of `things`, and how many more there are."""
    first = list(things)
    more = f" and {len(first) - MOST_NAMES} more" if len(first) > MOST_NAMES else ""
    return ", ".join(first[:MOST_NAMES]) + more
