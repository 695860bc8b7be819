"""Gradescope: folders such as `submission_70512345`, and `submission_metadata.yml`, which lists whose each is and when
it came (as Otter-Grader reads it; its guides show no names). A group's folder has several submitters."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from . import Listing, Lms

#: The fields of a submitter that a list of students may hold: the address, the number, the name.
_KEYS = (":email", ":sid", ":name")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the file also holds what each test printed


def _read(content: bytes) -> dict[str, tuple[tuple[tuple[str, ...], ...], datetime.datetime | None]]:
    try:
        folders = yaml.load(content, _LOADER)
        return {str(folder): (tuple(_people(fields)), _date(fields)) for folder, fields in folders.items()}
    except (yaml.YAMLError, UnicodeError, LookupError, AttributeError, TypeError, RecursionError) as error:
        raise ValueError(error) from None


def _people(fields: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for person in fields[":submitters"]:
        if names := tuple(str(person[key]).replace("/", " ") for key in _KEYS if person.get(key)):
            yield names


def _date(fields: Mapping[str, Any]) -> datetime.datetime | None:
    date = fields.get(":created_at")
    return date if isinstance(date, datetime.datetime) else None


LMS = Lms("Gradescope", listing=Listing("submission_metadata.yml", _read))
