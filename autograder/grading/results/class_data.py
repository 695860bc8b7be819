"""A class's results as data: scores by exercise, findings by frequency, answers that are alike."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from ...exercise.result import Outcome
from ...report.kinds import term
from ...source.text import blank
from .outcomes import GradedExercise, is_written

#: From this similarity on (of 100), two answers are shown to a person.
ALIKE = 97.0
#: Shorter answers, in characters without spaces, are always alike.
LONG_ENOUGH = 120
#: How many of the slowest notebooks are named.
SLOWEST = 10


@dataclass(frozen=True)
class ExerciseScores:
    """One exercise of the class: how many students handed in an answer, and their points."""

    name: str
    title: str
    written: int
    of: int
    max_score: float
    mean: float
    median: float
    full: int


@dataclass(frozen=True)
class Ranked:
    """One thing that went wrong, in words for people: how often, and with which students. `count` of the `of` students
    who wrote an answer have it."""

    exercise: str
    check: str
    finding: str
    count: int
    of: int
    students: tuple[str, ...]


@dataclass(frozen=True)
class Alike:
    """Answers to one cell that are nearly the same: for a person to look at, not a verdict."""

    exercise: str
    magic: str
    students: tuple[str, ...]
    likeness: float


def scores_by_exercise(graded: Sequence[GradedExercise]) -> tuple[ExerciseScores, ...]:
    """One entry for each exercise, over those who wrote an answer."""
    found = []
    for name, everybody in sorted(_by_name(graded).items()):
        some = everybody[0]
        points = [exercise.score for exercise in everybody if not exercise.untouched]
        full = sum(exercise.score >= exercise.max_score for exercise in everybody)
        mean, median = (statistics.mean(points), statistics.median(points)) if points else (0.0, 0.0)
        found.append(ExerciseScores(name, some.title, len(points), len(everybody), some.max_score, mean, median, full))
    return tuple(found)


def ranked_findings(graded: Sequence[GradedExercise]) -> tuple[Ranked, ...]:
    """What failed, the most frequent first. A test that could not judge adds no finding of its own."""
    students: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    wrote: dict[str, int] = defaultdict(int)
    for exercise in graded:
        wrote[exercise.name] += not exercise.untouched
        for check in exercise.checks:
            if check.outcome is Outcome.FAILED:
                kind = check.report.kinds[0] if check.report and check.report.kinds else ""
                students[exercise.name, check.title, term(kind) if kind else "failed"].append(exercise.student)
        for answer in exercise.answers:
            if answer.report and answer.report.kinds:
                key = (exercise.name, f"{answer.magic} compiles", term(answer.report.kinds[0]))
                students[key].append(exercise.student)
    ranked = [
        Ranked(name, check, found, len(who), wrote[name], tuple(sorted(who)))
        for (name, check, found), who in students.items()
    ]
    return tuple(sorted(ranked, key=lambda r: (-r.count, r.exercise, r.check, r.finding)))


def alike_answers(graded: Sequence[GradedExercise]) -> tuple[Alike, ...]:
    """Groups of answers that differ in little but comments, spaces and names."""
    texts: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for exercise in graded:
        for answer in exercise.answers:
            lean = _lean(answer.text)
            if is_written(answer) and len(lean) >= LONG_ENOUGH:
                texts[exercise.name, answer.magic][exercise.student] = lean
    found = []
    for (name, magic), own in sorted(texts.items()):
        for group, likeness in _groups(own):
            found.append(Alike(name, magic, group, likeness))
    return tuple(sorted(found, key=lambda alike: (-alike.likeness, -len(alike.students), alike.exercise)))


def slowest(graded: Sequence[GradedExercise]) -> tuple[GradedExercise, ...]:
    """The notebooks that took longest."""
    return tuple(sorted((e for e in graded if e.seconds), key=lambda e: -e.seconds)[:SLOWEST])


def _by_name(graded: Iterable[GradedExercise]) -> dict[str, list[GradedExercise]]:
    found: dict[str, list[GradedExercise]] = defaultdict(list)
    for exercise in graded:
        found[exercise.name].append(exercise)
    return found


def _lean(text: str) -> str:
    """`text` without comments and spaces, and with the names that it declares itself replaced by one."""
    code = blank(text)
    names: dict[str, str] = {}
    # One repetition between two words: with two, a long gap would take time quadratic in its length.
    for found in re.finditer(r"\b(?:int|float|double|unsigned|bool|auto|size_t)[\s*]+(\w+)\s*(?==|;|\[)", code):
        names.setdefault(found[1], f"v{len(names)}")
    code = re.sub(r"\b[A-Za-z_]\w*\b", lambda word: names.get(word[0], word[0]), code)
    return "".join(code.split())


def _groups(texts: dict[str, str]) -> list[tuple[tuple[str, ...], float]]:
    """Students whose texts are alike, each group with its least similarity to its first student."""
    left = sorted(texts)
    groups = []
    while left:
        first, *left = left
        near = {other: fuzz.ratio(texts[first], texts[other], score_cutoff=ALIKE) for other in left}
        group = [other for other in left if near[other]]
        if group:
            groups.append(((first, *group), min(near[other] for other in group)))
            left = [other for other in left if other not in group]
    return groups
