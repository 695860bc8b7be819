"""The book's chapters, by key, with number and title, even if the book is not installed.

A key is the name of the chapter's page, such as "shared-memory". `autograder release` writes the
data beside this file from `_toc.yml` and the titles of the pages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_DATA = Path(__file__).with_suffix(".json")


@dataclass(frozen=True)
class Chapter:
    """A chapter of the book: its number (from 1), its title, its page ("book/barriers"), and the names by which its
    notebooks check kernels."""

    number: int
    title: str
    page: str
    exercises: Sequence[str]


@cache
def chapters() -> Mapping[str, Chapter]:
    """All chapters, by key, in the order of the book."""
    return {key: Chapter(**data) for key, data in json.loads(_DATA.read_text(encoding="utf-8")).items()}


def reached(exercise: str) -> int:
    """The number of the chapter that a reader who works on `exercise` has come to; the last one's if it is none of the
    book's."""
    return next((chapter.number for chapter in chapters().values() if exercise in chapter.exercises), len(chapters()))


def reference(key: str, exercise: str = "") -> str:
    """How a report on `exercise` refers to the chapter with `key`: `Chapter 3, "Barriers"`; empty for an empty key.

    Raises:
        KeyError: the book has no such chapter.
    """
    if not key:
        return ""
    chapter = chapters()[key]
    to_come = " (still to come)" if chapter.number > reached(exercise) else ""
    return f'Chapter {chapter.number}, "{chapter.title}"{to_come}'
