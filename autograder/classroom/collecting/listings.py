"""Folders that an LMS names after nobody, with a file beside them that lists whose each is, such as Gradescope's. Each
folder is read as if it were called after its student; a group's, once for each member."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..lms import listings
from .downloads import Found


def name_folders(read: Sequence[Found], known: Iterable[str]) -> list[Found]:
    """Return the files of a download with the folders named after students, and without the list. Only a list in a
    folder that holds the whole download counts: any other one may be a student's, who could name others there, or a
    date.

    Args:
        known: which words a list of students holds.
    """
    files = [found_file for found_file in read if found_file.parts[-1] in listings() and not found_file.trouble]
    rest = [found_file for found_file in read if found_file not in files]
    file = min(files, key=lambda found_file: len(found_file.parts), default=None)
    if file is None or any(found_file.parts[: len(file.parts) - 1] != file.parts[:-1] for found_file in read):
        return rest
    top, words = file.parts[:-1], {word.casefold() for word in known}
    try:
        folders = listings()[file.parts[-1]].read(file.content.read_bytes() if file.content else b"")
    except ValueError:
        return [
            *rest,
            Found(file.parts, trouble="it does not say whose the folders are. Export the submissions again."),
        ]
    named: list[Found] = []
    for found_file in rest:
        folder = (
            found_file.parts[len(top)]
            if found_file.parts[: len(top)] == top and len(found_file.parts) > len(top) + 1
            else ""
        )
        submitters, when = folders.get(folder, ((), None))
        labels = [next((name for name in names if name.casefold() in words), names[0]) for names in submitters]
        for label in labels or [folder]:
            parts = (*top, label, *found_file.parts[len(top) + 1 :]) if folder else found_file.parts
            named.append(replace(found_file, parts=parts, handed_in=when))
    return named
