"""Which answers of a class are alike: by structure, so that other names and moved lines hide nothing, and without what
the exercise gives everybody."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

from ...cuda.source.text import blank
from ...exercises.authoring.nbgrader_app import RELEASED, SOURCE
from ...exercises.notebook.answer_cells import slots
from ..classroom import Classroom
from .outcomes import GradedExercise, is_written

#: From this share on, two answers are shown to a person.
ALIKE = 0.85
#: Answers with less structure of their own, in pieces, are always alike.
ENOUGH = 24
#: The most groups that are shown, the most alike first.
SHOWN = 20

_LENGTH = 4  # words in a piece
_NAME = re.compile(r"[A-Za-z_]")
_WORD = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|::|\S")
#: Names that are not the student's.
_LANGUAGE = frozenset(
    """__global__ __device__ __shared__ __restrict__ __syncthreads __syncwarp extern const constexpr static inline void
    int unsigned float double bool char short long size_t auto if else for while do return break continue switch case
    sizeof true false threadIdx blockIdx blockDim gridDim warpSize x y z float2 float4 int2 int4 min max""".split()
)


@dataclass(frozen=True)
class Alike:
    """Answers to one cell that are nearly the same: for a person to look at, not a verdict. `texts` are those of the
    first two of `students`; `similarity` is the least with the first, from 0 to 1."""

    exercise: str
    magic: str
    students: tuple[str, ...]
    similarity: float
    texts: tuple[str, str]


def alike_answers(
    graded: Sequence[GradedExercise], given: Mapping[tuple[str, str], tuple[str, str]]
) -> tuple[Alike, ...]:
    """Groups of answers that are alike in what few others have.

    Args:
        given: by exercise and first line, the stub and the course's solution.
    """
    found = []
    for key, mine in sorted(written_texts(graded).items()):
        stub, _ = given.get(key, ("", ""))
        pieces = _unusual({who: pieces_of(text) for who, text in mine.items()}, pieces_of(stub))
        for students, similarity in _groups(pieces):
            first, second = students[:2]
            found.append(Alike(*key, students, similarity, (mine[first], mine[second])))
    return tuple(sorted(found, key=lambda alike: (-alike.similarity, -len(alike.students), alike.exercise))[:SHOWN])


def written_texts(graded: Sequence[GradedExercise]) -> dict[tuple[str, str], dict[str, str]]:
    """By exercise and first line, and then by student, the answers that are more than the stub."""
    texts: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for exercise in graded:
        for answer in exercise.answers:
            if is_written(answer):
                texts[exercise.name, answer.magic][exercise.student] = answer.text
    return texts


def given_texts(room: Classroom, chapter: str) -> dict[tuple[str, str], tuple[str, str]]:
    """By exercise and first line, the released stub and the solution ("" where the course has none)."""
    found = {}
    for path in sorted((room.root / RELEASED / chapter).glob("*.ipynb")):
        solution = room.root / SOURCE / chapter / path.name
        solved = _answers(solution) if solution.exists() else {}
        for magic, stub in _answers(path).items():
            found[path.stem, magic] = (stub, solved.get(magic, ""))
    return found


def _answers(path: Path) -> dict[str, str]:
    return {slot.magic: slot.stub for slot in slots(nbformat.read(path, as_version=4))}


def pieces_of(text: str) -> frozenset[object]:
    """Runs of words within the statements of `text`, each with how often it came before, without comments and with all
    names of the student's own alike. Statements that were moved have the same runs."""
    seen: Counter[tuple[str, ...]] = Counter()
    pieces = []
    for statement in re.split(r"[;{}]", blank(text)):
        words = [word if word in _LANGUAGE or not _NAME.match(word) else "name" for word in _WORD.findall(statement)]
        for start in range(max(len(words) - _LENGTH + 1, bool(words))):
            run = tuple(words[start : start + _LENGTH])
            pieces.append((run, seen[run]))
            seen[run] += 1
    return frozenset(pieces)


def _unusual(pieces: dict[str, frozenset[object]], stub: Iterable[object]) -> dict[str, frozenset[int]]:
    """`pieces` without those of the stub, and without those that most of a class have, as right answers do. Each has a
    number here: sets of numbers are compared several times as fast."""
    count = Counter(piece for mine in pieces.values() for piece in mine)
    common = set(stub)
    if len(pieces) > 7:
        common |= {piece for piece, students in count.items() if students > len(pieces) / 2}
    numbers = {piece: number for number, piece in enumerate(count)}
    return {who: frozenset(numbers[piece] for piece in mine - common) for who, mine in pieces.items()}


def _groups(pieces: Mapping[str, frozenset[int]]) -> list[tuple[tuple[str, ...], float]]:
    """Students whose pieces are alike, each group with its least similarity to its first student."""
    left = sorted(who for who in pieces if len(pieces[who]) >= ENOUGH)
    groups = []
    while left:
        first, *left = left
        similarity = {other: _similarity(pieces[first], pieces[other]) for other in left}
        near = {other: share for other, share in similarity.items() if share >= ALIKE}
        if near:
            groups.append(((first, *near), min(near.values())))
            left = [other for other in left if other not in near]
    return groups


def _similarity(left: frozenset[int], other: frozenset[int]) -> float:
    """The share of pieces in both among those in either; 0 where their numbers alone leave less than `ALIKE`, which
    spares most comparisons of a class."""
    few, many = sorted((len(left), len(other)))
    if few / many < ALIKE:
        return 0.0
    shared = len(left & other)
    return shared / (few + many - shared)
