"""Gradescope's export: folders that are called `submission_<number>`, and beside them a file that says whose each is
and when it came. Each folder is read as if it were called after its student; a group's, once for each member."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import yaml

from .downloads import Found, Unread

#: The file's name; it is YAML.
METADATA = "submission_metadata.yml"
#: What the file says of a person that a list of students may hold: the address, the number, the name.
_KEYS = (":email", ":sid", ":name")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the file also holds what each test printed


def name_folders(read: Sequence[Found | Unread], known: Iterable[str]) -> list[Found | Unread]:
    """`read`, a download's files, with the folders named after students and the file left out. Only a file in a folder
    that holds the whole download counts: any other one may be a student's, who could name others there, or a date.

    Args:
        known: which words a list of students holds.
    """
    files = [one for one in read if one.parts[-1] == METADATA and isinstance(one, Found)]
    file = min(files, key=lambda one: len(one.parts), default=None)
    if file is None or any(one.parts[: len(file.parts) - 1] != file.parts[:-1] for one in read):
        return [one for one in read if one not in files]
    rest = [one for one in read if one not in files]
    top, words = file.parts[:-1], {word.casefold() for word in known}
    try:
        folders = yaml.load(file.content.read_bytes() if file.content else b"", _LOADER)
        people = {str(folder): tuple(_people(said, words)) for folder, said in folders.items()}
        dates = {str(folder): _date(said) for folder, said in folders.items()}
    except (yaml.YAMLError, UnicodeDecodeError, AttributeError, TypeError, RecursionError):
        return [*rest, Unread(file.parts, "it does not say whose the folders are. Export the submissions again.")]
    named: list[Found | Unread] = []
    for one in rest:
        folder = one.parts[len(top)] if one.parts[: len(top)] == top and len(one.parts) > len(top) + 1 else ""
        for label in people.get(folder) or (folder,):
            parts = (*top, label, *one.parts[len(top) + 1 :]) if folder else one.parts
            moved = replace(one, parts=parts)
            named.append(replace(moved, handed_in=dates.get(folder)) if isinstance(moved, Found) else moved)
    return named


def _people(said: Mapping[str, Any], words: set[str]) -> Iterator[str]:
    """A name for each who handed in: what the list of students holds, or else the first that there is."""
    for person in said[":submitters"]:
        names = [str(person[key]).replace("/", " ") for key in _KEYS if person.get(key)]
        if names:
            yield next((name for name in names if name.casefold() in words), names[0])


def _date(said: Mapping[str, Any]) -> datetime.datetime | None:
    date = said.get(":created_at")
    return date if isinstance(date, datetime.datetime) else None
