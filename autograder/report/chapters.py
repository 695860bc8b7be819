"""The book's chapters, by key, with number and title, even if the book is not installed.

A key is the name of the chapter's page, such as "shared-memory". `autograder release` writes the
data beside this file from `_toc.yml` and the titles of the pages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_DATA = Path(__file__).with_suffix(".json")


@dataclass(frozen=True)
class Chapter:
    """A chapter of the book: its number (from 1), its title, and its page ("book/barriers")."""

    number: int
    title: str
    page: str


@cache
def chapters() -> Mapping[str, Chapter]:
    """All chapters, by key, in the order of the book."""
    return {key: Chapter(**data) for key, data in json.loads(_DATA.read_text()).items()}


def reference(key: str) -> str:
    """How a report refers to the chapter with `key`: `Chapter 3, "Barriers"`; empty for an empty key.

    Raises:
        KeyError: the book has no such chapter.
    """
    if not key:
        return ""
    chapter = chapters()[key]
    return f'Chapter {chapter.number}, "{chapter.title}"'
