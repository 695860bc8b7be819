"""Which answers may be the course's own solution, renamed or not: by what the solution has and nobody else needs.

Right answers to a short kernel are alike by nature, so similarity alone says little here. Two things say more: the
words of the solution's comments, and structure that no other right answer is known to have. Where a solution has
neither, nothing is reported, and nothing could be.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...cuda.source.text import blank
from .outcomes import GradedExercise
from .similarity import Alike, pieces_of, written_texts

#: Who wrote the course's own solution, in a list of students.
SOLUTION = "the course's solution"

#: From this share of the solution's own comments, or of its own structure, on, an answer is reported.
COMMENTS, STRUCTURE = 0.5, 0.85
#: A solution with fewer runs of words, or pieces of structure, of its own says nothing by them.
ENOUGH_WORDS, ENOUGH_PIECES = 6, 12

_RUN = 3  # words
_SHOWN = 60  # characters of a line
#: Lines that stand in `solutions/` alone: around what a release leaves out, and above a known mistake.
_OURS = re.compile(r"^[ \t]*(?:(?://|#+) *(?:(?:BEGIN|END) SOLUTION\b|rejected by:|perhaps also:).*)$", re.M)


@dataclass(frozen=True)
class Copied:
    """A student's answers that were taken from the course's own files, by their first lines; `why` says what shows
    it."""

    student: str
    answers: tuple[str, ...]
    why: str


class Published:
    """What is the course's own in the solution of one answer cell.

    Args:
        stub: what everybody gets.
        others: right answers that were written without the solution.
    """

    def __init__(self, solution: str, stub: str, others: Iterable[str]) -> None:
        words = _runs(solution) - _runs(stub)
        pieces = pieces_of(solution) - pieces_of(stub) - frozenset().union(*map(pieces_of, others))
        self.words = words if len(words) >= ENOUGH_WORDS else frozenset[object]()
        self.pieces = pieces if len(pieces) >= ENOUGH_PIECES else frozenset[object]()

    def similarity(self, text: str) -> float:
        """The share of the solution's own in `text`, from 0 to 1; 0 if it is too little to report."""
        words = _share(self.words, _runs(text)) if self.words else 0.0
        pieces = _share(self.pieces, pieces_of(text)) if self.pieces else 0.0
        return max(words if words >= COMMENTS else 0.0, pieces if pieces >= STRUCTURE else 0.0)


def like_the_solution(
    graded: Sequence[GradedExercise],
    given: Mapping[tuple[str, str], tuple[str, str]],
    others: Mapping[tuple[str, str], Sequence[str]],
) -> tuple[Alike, ...]:
    """Of each exercise, the answers that hold what is the solution's own, the likest first.

    Args:
        given: by exercise and first line, the stub and the solution ("" where there is none).
        others: as `known_right`.
    """
    found = []
    for key, texts in sorted(written_texts(graded).items()):
        stub, solution = given.get(key, ("", ""))
        published = Published(solution, stub, others.get(key, ()))
        similarity = {who: share for who, text in texts.items() if (share := published.similarity(text))}
        if similarity:
            who = sorted(similarity, key=lambda student: (-similarity[student], student))
            found.append(Alike(*key, (SOLUTION, *who), min(similarity.values()), (solution, texts[who[0]])))
    return tuple(found)


def copies_of_ours(
    graded: Sequence[GradedExercise],
    given: Mapping[tuple[str, str], tuple[str, str]],
    others: Mapping[tuple[str, str], Sequence[str]],
) -> tuple[Copied, ...]:
    """By student, who has most first, the answers that hold a line of the course's own files that no student gets, or
    are the solution word for word, comments too, where that has something of its own. Arguments are those of
    `like_the_solution`."""
    found: dict[str, dict[str, str]] = {}
    for key, texts in written_texts(graded).items():
        stub, solution = given.get(key, ("", ""))
        published = Published(solution, stub, others.get(key, ()))
        unique = _plain(solution) if published.words or published.pieces else None
        for student, text in texts.items():
            if line := _OURS.search(text):
                found.setdefault(student, {})[key[1]] = (
                    f"holds the line '{line[0].strip()[:_SHOWN]}', which no student gets"
                )
            elif _plain(text) == unique:
                found.setdefault(student, {})[key[1]] = "is the solution word for word"
    copied = [
        Copied(student, tuple(sorted(why)), "; ".join(dict.fromkeys(why.values()))) for student, why in found.items()
    ]
    return tuple(sorted(copied, key=lambda item: (-len(item.answers), item.student)))


def _plain(text: str) -> list[str]:
    """The words of `text` without the lines that only `solutions/` has."""
    return _OURS.sub("", text).split()


def known_right(solutions: Path) -> dict[tuple[str, str], list[str]]:
    """By exercise and first line, right answers that were written without the solutions in the folder `solutions`."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in sorted(solutions.glob("unseen*right.json")):
        for exercise, answers in json.loads(path.read_text(encoding="utf-8")).items():
            for magic, text in (cell for answer in answers.values() for cell in answer["cells"].items()):
                found.setdefault((exercise, magic), []).append(text)
    return found


def _share(mine: frozenset[object], found: frozenset[object]) -> float:
    return len(mine & found) / len(mine)


def _runs(text: str) -> frozenset[object]:
    """Runs of words within the lines of the comments of `text`."""
    return frozenset(run for line in _comments(text).split("\n") for run in _runs_of(re.findall(r"\w+", line.lower())))


def _runs_of(words: list[str]) -> Iterator[tuple[str, ...]]:
    yield from (tuple(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1))


def _comments(text: str) -> str:
    """`text` with all but its comments blank."""
    return "".join(sign if sign == "\n" or sign != code else " " for sign, code in zip(text, blank(text), strict=True))
