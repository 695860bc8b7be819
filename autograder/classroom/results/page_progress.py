"""What students did in the book's pages, from the files that the page "Your progress" saves for them."""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...cuda.errors import UsageError

#: What a saved file begins with (book/_ext/course_page/web/yours.mjs).
_FORMAT = "how-cuda-threads-cooperate progress 1"
#: Most bytes of a file: thirty tries of each exercise are less.
_MOST_BYTES = 50 << 20


@dataclass(frozen=True)
class InPages:
    """An exercise in the book's pages: how many students tried it there and how many solved it, and the median of the
    tries of those who solved it (0 if nobody did)."""

    exercise: str
    tried: int
    solved: int
    tries: float


@dataclass(frozen=True)
class Progress:
    """The work of `students` in the pages of a chapter, by exercise, and one line on each file that is `unread`."""

    students: int
    exercises: tuple[InPages, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True)
class _Work:
    """One student's work on one exercise."""

    solved: bool
    tries: int


def read_progress(folder: Path, chapter: str) -> Progress:
    """Read all files in `folder` and below it; each is one student's, by whatever name.

    Raises:
        UsageError: it holds no file that can be read.
    """
    works: dict[str, list[_Work]] = defaultdict(list)
    students, unread = 0, []
    for path in sorted(path for path in folder.rglob("*.json") if path.is_file()):
        try:
            mine = dict(_works(path, f"exercises/{chapter}/"))
        except _UNREADABLE as error:
            unread.append(f"{path}: {error if isinstance(error, _NotSavedError) else 'it cannot be read'}.")
            continue
        students += 1
        for exercise, work in mine.items():
            works[exercise].append(work)
    if not students:
        raise UsageError(f"{folder} holds no file that a student has saved on the page “Your progress” of the book.")
    return Progress(students, tuple(_joined(name, several) for name, several in sorted(works.items())), tuple(unread))


class _NotSavedError(Exception):
    """A file that the book's page has not saved."""


def _works(path: Path, pages: str) -> Iterator[tuple[str, _Work]]:
    """A student's work on each exercise whose page's name begins with `pages`."""
    if path.stat().st_size > _MOST_BYTES:
        raise _NotSavedError("it is larger than any that the page saves")
    saved: Any = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(saved, dict) or saved.get("format") != _FORMAT:
        raise _NotSavedError("the book's page has not saved it")
    tries = {key: len(value) for key, value in saved["stored"] if str(key).startswith(f"tries {pages}")}
    for key, text in saved["local"].items():
        if key.startswith(f"progress {pages}"):
            page = key.removeprefix("progress ")
            count = sum(number for name, number in tries.items() if name.split(" ")[1] == page)
            yield page.removeprefix(pages), _Work(_is_solved(json.loads(text)), count)


def _is_solved(known: Mapping[str, Any]) -> bool:
    results = list(known["results"].values())
    return len(results) == known["exercises"] and all(result["best"] >= result["most"] for result in results)


def _joined(exercise: str, works: list[_Work]) -> InPages:
    solved = [work.tries for work in works if work.solved]
    return InPages(exercise, len(works), len(solved), statistics.median(solved) if solved else 0)


_UNREADABLE = (_NotSavedError, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
